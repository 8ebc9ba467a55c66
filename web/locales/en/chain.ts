/** English: the chain. Marks such as {stream|words} give words their colour role, {code|name} sets a name in code. */

const place = (index: 1 | 2): string => (index === 1 ? "first" : "second");

export const chain = {
  lead: (norm: string) =>
    `The same numbers and the same F through each wiring. {stream|The stream} runs down the left; what a sublayer adds joins it from {branch|the branch}; {statistic|${norm}} stands after the sum, or before the sublayer.`,
  simulatedNote: (own: boolean) =>
    `{code|attn_output} and {code|ffn_output} are drawn at random, ${own ? "from the seed" : "after x and from the same seed"}, as in the article. They do not read what comes in: those lines are dashed.`,
  linearNote: "Each F is a real linear map here, {code|F(x) = xWᵀ}: W is drawn from the seed, and both wirings use the same two.",
  attentionNote:
    "Attention and feed-forward are real here. Their weights are drawn from the seed after x, from {code|N(0, 1/fan-in)} and without biases; every wiring uses the same ones. Parallel has one norm and one sum for both.",
  wiring: "Wiring",
  beside: (pre: string) => `Beside ${pre}`,
  title: { post: "Post-LN", pre: "Pre-LN", parallel: "Parallel" },
  rmsTitle: { post: "Post-norm", pre: "Pre-norm", parallel: "Parallel" },
  diagramLabel: { post: "Post-norm: the steps in order", pre: "Pre-norm: the steps in order", parallel: "Parallel branches: the steps in order" },
  input: "input",
  output: "output",
  before: (index: 1 | 2) => `before F${index === 1 ? "₁" : "₂"}`,
  both: "both branches",
  headsCaption: (heads: number, causal: boolean) => `${heads} ${heads === 1 ? "head" : "heads"}${causal ? ", causal" : ""}`,
  rootMeanSquare: (value: string) => `root mean square ${value}`,
  joinsBranches: (attention: string, feedForward: string) => `root mean square: attention ${attention}, feed-forward ${feedForward}`,
  joins: (stream: string, branch: string) => `root mean square: stream ${stream}, branch ${branch}`,
  colourScale: "One colour scale for all matrices",
  close: "Close",
  inputs: "Reads",
  readsNothing: "nothing: these numbers are where all starts",
  readsNothingDrawn: "nothing: it is drawn",
  about: {
    input: "What enters the block: a row for each token, a column for each feature.",
    simulated: (index: 1 | 2) => `What the ${place(index)} sublayer gives, drawn at random as in the article. It does not depend on what comes in.`,
    linear: (index: 1 | 2) => `What the ${place(index)} sublayer gives: a real linear map of what comes in, without bias.`,
    attention: (index: 1 | 2): string =>
      index === 1
        ? "Self-attention: each token takes a weighted mean of all tokens’ values, head by head; an output matrix mixes the heads."
        : "Feed-forward: each token by itself, widened, passed through the activation, and narrowed again.",
    branches: "What attention and feed-forward give, added. Both read the same norm, so neither waits for the other.",
    sum: "The residual connection: what the sublayer gives is added to what went in, number by number. What went in stays in the sum.",
    post: (norm: string) => `Add & Norm: ${norm} takes the sum, so the stream itself is normalized, one token at a time.`,
    pre: (norm: string) => `${norm} makes what the sublayer reads; the stream passes by untouched.`,
  },
  weightsTitle: "Attention weights, from the block’s own trace",
  weightsNote: "Row: the token that looks. Column: the token that is looked at. Each row is a softmax and adds up to 1.",
  weightsGrid: (head: number) => `Attention weights of head ${head}: the token that looks by the token that is looked at, then each row’s sum`,
  head: "Head",
  headName: (head: number) => `Head ${head}`,
  looks: (token: number) => `Token ${token} looks`,
  seen: (token: number) => `at token ${token}`,
  rowSum: "sum of the row",
  formula: "formula",
  numbers: "numbers",
  grid: (name: string) => `All numbers of ${name}: tokens by features, then mean, standard deviation and root mean square`,
  overview: "The whole matrix; a click shows that part above",
  overviewNote: "The whole matrix; the frame is the part above.",
  token: "token",
  question: {
    layer: "Look at the last row. Post-LN ends in a norm, which sets σ afresh in every block. Pre-LN ends in a sum, so its stream keeps growing. Which of the two lets the gradient reach x without passing a norm?",
    rms: "Look at the last row. Post-norm ends in a norm, which sets the size afresh in every block. Pre-norm ends in a sum, so its stream keeps growing. Which of the two lets the gradient reach x without passing a norm?",
  },
  answer: "Answer",
  answerText: (pre: string, post: string) =>
    `${pre}. Follow the line at the left from the last sum up to x: it meets nothing but additions, and an addition hands the gradient on as it is. In ${post} every way back to x goes through both norms.`,
};
