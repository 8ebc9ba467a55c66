/** What a page needs once to give its frames the height that they tell: the readme and the share dialog have it from here. */
export const frameScript = `<script>
  addEventListener("message", ({ source, data }) => {
    if (data?.type !== "addnorm:height") return;
    for (const frame of document.querySelectorAll("iframe")) {
      if (frame.contentWindow === source) frame.style.height = \`\${Number(data.height)}px\`;
    }
  });
</script>`;
