/** Simplified Chinese: the dialog in which a view is shared. */
import type { share as en } from "../en/share.js";

export const share: typeof en = {
  title: "分享这个视图",
  close: "关闭",
  link: "链接",
  linkNote: "打开后是同样的数据、设置和视图。",
  page: "放进你的网页",
  pageNote: "凡是能写 HTML 的编辑器都可以用内嵌框架；自定义元素则直接画在网页里，多个元素只需一段脚本。",
  controls: "控件",
  extents: { none: "不显示", basic: "归一化", all: "全部" },
  colours: "配色",
  themes: { auto: "自动", light: "浅色", dark: "深色" },
  language: "语言",
  languages: { auto: "自动", en: "English", zh: "中文" },
  preview: "预览",
  frame: "内嵌框架",
  frameNote: "每个网页放一次这段脚本即可，框架会自动与内容等高。",
  element: "自定义元素",
  elementNote: "服务器须允许其他网站读取文件（CORS），多数静态托管默认如此。",
  copy: "复制",
  copyOf: (name) => `复制${name}`,
  copied: (name) => `已复制${name}。`,
  selected: (name) => `已选中${name}，请按 Ctrl+C 或 ⌘C 复制。`,
  staysHere: "你的数据太大，无法写进链接，只留在这台电脑上：链接和内嵌框架会显示文章里的例子。自定义元素可以显示它们：把数据按行存成 numbers.json，放在网页旁边。",
  onDisk: "本页是你电脑上的一个文件，这个链接只在这台电脑上有效。",
  unpublished: "要让别人也能看到，请把 dist/site 文件夹放到网站服务器上，再把下面的“…”换成它的网址。",
};
