/** Simplified Chinese: the chain. */
import type { Messages } from "../index.js";

const place = (index: 1 | 2): string => (index === 1 ? "第一个" : "第二个");

export const chain: Messages["chain"] = {
  lead: (norm) =>
    `同一组数、同样的 F，走不同的接法。{stream|残差流}沿左侧往下走；子层算出的增量从{branch|支路}汇入；{statistic|${norm}} 要么放在求和之后，要么放在子层之前。`,
  simulatedNote: (own) =>
    `{code|attn_output} 和 {code|ffn_output} 是${own ? "由种子" : "在 x 之后用同一个种子"}随机抽取的，和文章里一样。它们并不读取输入，所以这几条线画成虚线。`,
  linearNote: "这里的 F 是真正的线性映射 {code|F(x) = xWᵀ}：W 由种子抽取，两种接法用的是同样的两个 W。",
  attentionNote:
    "这里的注意力和前馈网络都是真正计算的。权重在 x 之后由同一个种子从 {code|N(0, 1/fan-in)} 抽取，不带偏置；几种接法用的是同一套权重。并行接法的两条支路共用一次归一化和一次求和。",
  wiring: "接法",
  beside: (pre) => `与 ${pre} 对照`,
  title: { post: "Post-LN（后置）", pre: "Pre-LN（前置）", parallel: "并行" },
  rmsTitle: { post: "后置归一化", pre: "前置归一化", parallel: "并行" },
  diagramLabel: { post: "后置归一化：依次的步骤", pre: "前置归一化：依次的步骤", parallel: "并行支路：依次的步骤" },
  input: "输入",
  output: "输出",
  before: (index) => `在 F${index === 1 ? "₁" : "₂"} 之前`,
  both: "两条支路",
  headsCaption: (heads, causal) => `${heads} 个头${causal ? "，因果" : ""}`,
  rootMeanSquare: (value) => `均方根 ${value}`,
  joinsBranches: (attention, feedForward) => `均方根：注意力 ${attention}，前馈 ${feedForward}`,
  joins: (stream, branch) => `均方根：残差流 ${stream}，支路 ${branch}`,
  colourScale: "所有矩阵共用一个色标",
  close: "关闭",
  inputs: "读取",
  readsNothing: "无：一切从这些数开始",
  readsNothingDrawn: "无：随机抽取",
  about: {
    input: "进入这个块的数：每行一个词元，每列一个特征。",
    simulated: (index) => `${place(index)}子层的输出，和文章里一样随机抽取，与输入无关。`,
    linear: (index) => `${place(index)}子层的输出：对输入做一次真正的线性映射，不带偏置。`,
    attention: (index) =>
      index === 1
        ? "自注意力：每个头里，每个词元对所有词元的 value 加权平均；最后由输出矩阵把各个头混合起来。"
        : "前馈网络：每个词元各算各的，先升维，经过激活函数，再降回原来的维度。",
    branches: "注意力与前馈的输出相加。两者读取同一个归一化的结果，谁也不用等谁。",
    sum: "残差连接：子层的输出与原来的输入逐个相加，原来的输入仍保留在和里。",
    post: (norm) => `Add & Norm：${norm} 作用在和上，残差流本身被逐个词元地归一化。`,
    pre: (norm) => `${norm} 的结果只供子层读取；残差流从旁边原样通过。`,
  },
  weightsTitle: "注意力权重（取自这个块自身的计算过程）",
  weightsNote: "行：发出注意力的词元；列：被注意的词元。每一行都是一个 softmax，加起来等于 1。",
  weightsGrid: (head) => `第 ${head} 个头的注意力权重：行是发出注意力的词元，列是被注意的词元，最右是每行之和`,
  head: "头",
  headName: (head) => `头 ${head}`,
  looks: (token) => `词元 ${token} 发出`,
  seen: (token) => `注意词元 ${token}`,
  rowSum: "行和",
  formula: "公式",
  numbers: "代入数字",
  grid: (name) => `${name} 的全部数字：词元 × 特征，右侧是均值、标准差和均方根`,
  overview: "整个矩阵，点击可跳到那一部分",
  overviewNote: "整个矩阵；方框是上面正在显示的部分。",
  token: "词元",
  question: {
    layer: "看最后一行。Post-LN 以归一化收尾，每个块都会把 σ 重新定好；Pre-LN 以求和收尾，残差流会越来越大。哪一种接法能让梯度不经过归一化就回到 x？",
    rms: "看最后一行。后置以归一化收尾，每个块都会把大小重新定好；前置以求和收尾，残差流会越来越大。哪一种接法能让梯度不经过归一化就回到 x？",
  },
  answer: "答案",
  answerText: (pre, post) => `${pre}。从最后那个求和节点出发，沿左侧的线一路往上走到 x，途中只有加法，而加法会把梯度原样传回去。而在${post}里，回到 x 的每条路都要穿过两次归一化。`,
};
