// A Vite plugin for the page: what other sites show of a link to it, a title, a sentence and social.png beside the page.
import type { HtmlTagDescriptor, Plugin } from "vite";

const PICTURE = "social.png";
const [WIDTH, HEIGHT] = [1200, 630];
const PICTURE_SHOWS = "Add & Norm: a matrix of 7 tokens by 8 features after LayerNorm, each number in its colour";

/**
 * Most sites want whole addresses, which only who publishes the page can know: ADDNORM_URL, such as
 * "https://you.example/addnorm/", when it is built. Without it the picture's address is relative, and search engines
 * are not told which of several copies counts.
 */
export function linkPreview(published = process.env.ADDNORM_URL): Plugin {
  // Throws where that is no address.
  const page = published && new URL(published.replace(/\/?$/, "/")).href;
  return {
    name: "addnorm:link-preview",
    // After Vite has looked for files that the tags name: this one keeps its name.
    transformIndexHtml: { order: "post", handler: (html, { path }) => (path === "/index.html" ? { html, tags: tagsFor(html, page) } : html) },
  };
}

function tagsFor(html: string, page: string | undefined): HtmlTagDescriptor[] {
  const [, title] = /<title>(.*?)<\/title>/.exec(html)!;
  const [, description] = /<meta name="description" content="(.*?)">/.exec(html)!;
  const open = Object.entries({
    type: "website", title: title!.replaceAll("&amp;", "&"), description, locale: "en_US", "locale:alternate": "zh_CN", ...(page ? { url: page } : {}),
    image: (page ?? "./") + PICTURE, "image:width": String(WIDTH), "image:height": String(HEIGHT), "image:alt": PICTURE_SHOWS,
  }).map(([name, content]) => ({ tag: "meta", attrs: { property: `og:${name}`, content }, injectTo: "head" as const }));
  return [
    ...open,
    { tag: "meta", attrs: { name: "twitter:card", content: "summary_large_image" }, injectTo: "head" },
    ...(page ? [{ tag: "link", attrs: { rel: "canonical", href: page }, injectTo: "head" as const }] : []),
  ];
}
