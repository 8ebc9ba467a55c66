/** English: the frame of the page. */

export const site = {
  title: (view: string) => `${view} · Add & Norm playground`,
  description: "See, change and check every number in residual connections and LayerNorm: edit a token, put in your own matrix, compare post-norm with pre-norm.",
  skip: "Skip to the numbers",
  views: "Views",
  view: { residual: "Residual", tokens: "Tokens", chain: "Chain", depth: "Depth", compare: "Compare" },
  settings: "Settings",
  otherLanguage: "中文",
  otherLanguageTitle: "用中文阅读本页",
  theme: "Colours",
  themes: { auto: "System", light: "Light", dark: "Dark" },
  share: "Share",
  whole: "Open in the playground ↗",
  notices: "What the address could not give",
  dismiss: "Dismiss",
  drop: "Drop a table or an array file to look at your own numbers",
};
