/** Simplified Chinese: words and sentences that several views share. */
import type { Notice } from "../../state/reconcile.js";
import type { Messages } from "../index.js";
import { grouped } from "../grouped.js";

const notice = ({ reason, key, given, used }: Notice): string => {
  switch (reason) {
    case "value": return `“${given}”不是 ${key} 的有效取值，仍使用“${used}”。`;
    case "unknown": return `没有名为“${key}”的参数，已忽略。`;
    case "size": return `${key} = ${given} 会使数字总数超过 4,194,304，已改为 ${used}。`;
    case "length": return `${key} 只能填一个值，或者每个特征各填一个值；已改为 ${used}。`;
    case "range": return `${key} = ${given} 超出了矩阵范围，已改为${used === "" ? "空" : ` ${used}`}。`;
    case "wide": return `${key} = ${given} 最多支持 1,024 个特征，已改为 ${used}。`;
    case "large": return `${key} = ${given} 最多支持 64 个词元、64 个特征，已改为 ${used}。`;
    case "lost": return "原来的数据太大，无法写进链接，页面关闭后就没有了；这里改为显示文章中的例子。";
  }
};

export const common: Messages["common"] = {
  loading: "正在加载计算内核…",
  loadFailed: (reason) => `计算内核加载失败：${reason}`,
  computeFailed: (reason) => `这些数无法计算：${reason}`,
  notice,
  layerNorm: "LayerNorm",
  rmsNorm: "RMSNorm",
  token: (token) => `词元 ${token}`,
  feature: (feature) => `特征 ${feature}`,
  size: (tokens, features) => `${grouped(tokens)} 个词元 × ${grouped(features)} 个特征`,
  mean: "均值",
  std: "标准差",
  rms: "均方根",
};
