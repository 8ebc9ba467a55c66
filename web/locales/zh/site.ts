/** Simplified Chinese: the frame of the page. */
import type { Messages } from "../index.js";

export const site: Messages["site"] = {
  title: (view) => `${view} · Add & Norm 实验台`,
  description: "残差连接和层归一化（LayerNorm）里的每个数都能看、能改、能验算：改动一个词元，换上自己的矩阵，比较后置与前置归一化。",
  skip: "跳到数据",
  views: "视图",
  view: { residual: "残差连接", tokens: "词元", chain: "完整流程", depth: "深度", compare: "归一化对比" },
  settings: "设置",
  otherLanguage: "English",
  otherLanguageTitle: "Read this page in English",
  theme: "配色",
  themes: { auto: "跟随系统", light: "浅色", dark: "深色" },
  share: "分享",
  whole: "在完整页面中打开 ↗",
  notices: "网址里没能采用的内容",
  dismiss: "知道了",
  drop: "松开鼠标，查看你自己的表格或数组文件",
};
