/** Simplified Chinese: a person's own numbers. The readers' faults are told by code, from the facts alone. */
import type { Fault, FileWarning } from "../../elements/own-numbers/reading.js";
import type { FileErrorCode, FileErrorDetails, FileWarningCode, FileWarningDetails, Place } from "../../files/index.js";
import type { Messages } from "../index.js";
import { grouped as count } from "../grouped.js";

const megabytes = (bytes: number): string => (bytes < 1e5 ? `${count(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const quoted = (value: string): string => `“${value.length > 40 ? `${value.slice(0, 40)}…` : value}”`;
const shapeText = (shape: readonly number[]): string => (shape.length ? shape.map(count).join(" × ") : "单个数");

/** A matrix is placed by row and column, a larger array also by its slice. */
const place = ({ row, column, index }: Place): string =>
  `${index && index.length > 2 ? `切片 [${index.slice(0, -2).join(", ")}] 的` : ""}第 ${count(row)} 行第 ${count(column)} 列`;
const path = (index: readonly number[]): string => index.map((i) => `[${i}]`).join("");

const faults: { [C in FileErrorCode]: (details: FileErrorDetails[C]) => string } = {
  "empty-file": () => "文件是空的（0 字节）。",
  "too-large": (d) => `${megabytes(d.got)} 超过了上限 ${megabytes(d.limit)}。`,
  "out-of-memory": (d) => `内存不够，读不了 ${megabytes(d.got)} 的内容。`,
  "unknown-format": (d) => `不是这里能读的文件：从第 ${d.offset} 字节起是 ${d.got}。可读的有 .npy、.npz、.safetensors、.json，以及文本表格 .csv、.tsv、.txt。`,
  "unsupported-format": () => "这种格式这里不能读，请把数组另存为 .npy、.npz、.safetensors、.csv 或 .json。",
  "wrong-magic": (d) => `不是 ${d.format} 文件：从第 ${d.offset} 字节起应为 ${d.expected}，实际是 ${d.got}。`,
  "unsupported-version": (d) => `不能读 ${d.format} 的 ${d.got} 版本。`,
  "bad-header": (d) => `${d.format} 的文件头从第 ${d.offset} 字节起无法解读。`,
  truncated: (d) => `文件不完整：从第 ${d.offset} 字节起应有 ${count(d.expected)} 字节，实际只有 ${count(d.got)} 字节。`,
  "unsupported-dtype": (d) => `类型为 ${quoted(d.value)} 的数据无法作为 float32 显示。`,
  "bad-shape": (d) => `数组形状 ${d.value} 无效。`,
  "zero-size": (d) => `数组形状是 ${shapeText(d.shape)}，没有可显示的数。`,
  "zero-dimensions": (d) => `只有单个数 ${d.value}，没有行和列可显示。`,
  "duplicate-name": (d) => `名称 ${quoted(d.value)} 出现了两次。`,
  "bad-offsets": (d) => `数据偏移 [${d.begin}, ${d.end}] 有误。`,
  "archive-too-large": (d) => `压缩包解开后有 ${megabytes(d.got)}，超过了上限 ${megabytes(d.limit)}。`,
  "bad-archive": (d) => `压缩包从第 ${d.offset} 字节起无法解读。`,
  "corrupt-data": () => "压缩的数据已损坏。",
  "no-arrays": (d) => `${d.format} 文件里没有数组。`,
  "bad-json": (d) => `JSON 第 ${count(d.row)} 行第 ${count(d.column)} 列有语法错误。`,
  "json-not-an-array": () => "这里应该是由数字组成的数组。",
  "ragged-nesting": (d) => `${path(d.index)} 处的嵌套层次或长度与前面不一致。`,
  "no-numbers": () => "文本里没有数字。",
  "ragged-rows": (d) => `第 ${count(d.row)} 行有 ${count(d.got)} 格，而第 ${count(d.firstRow)} 行有 ${count(d.expected)} 格。`,
  "empty-row": (d) => `第 ${count(d.row)} 行是空行。`,
  "empty-cell": (d) => `${place(d)}是空的。`,
  "not-a-number": (d) => `${place(d)}：${quoted(d.value)} 不是数字。`,
  "thousands-separator": (d) => `${place(d)}：${quoted(d.value)} 带有千位分隔符，请去掉。`,
  "mixed-decimal": (d) => `${place(d)}：${quoted(d.value)} 的小数点写法与前面的格子不一致。`,
  "unclosed-quote": (d) => `${place(d)}：引号没有闭合。`,
  "stray-quote": (d) => `${place(d)}：闭合的引号后面多出了 ${quoted(d.value)}。`,
  "non-finite": (d) => `${place(d)}：${d.value} 不是有限的数。`,
  overflow: (d) => `${place(d)}：${d.value} 超出了 float32 的最大值 3.4028235e+38。`,
};

const warnings: { [C in FileWarningCode]: (details: FileWarningDetails[C]) => string } = {
  "inexact-integers": (d) => `有 ${count(d.count)} 个整数太长，已舍入为 float32；第一个在${place(d)}：${d.value}。`,
  "header-row": (d) => `第 ${count(d.row)} 行当作列名：${d.cells.slice(0, 8).join("、")}${d.cells.length > 8 ? "……" : ""}。`,
  "comment-lines": (d) => `从第 ${count(d.row)} 行起有 ${count(d.count)} 行以 # 开头，已略过。`,
  "decimal-comma": (d) => `逗号当作小数点；第一个在${place(d)}：${d.value}。`,
  "ambiguous-comma": (d) => `逗号当作小数点，但也可能是千位分隔符：${place(d)}的 ${d.value} 读成了 ${d.value.replace(",", ".")}。`,
  "trailing-bytes": (d) => `从第 ${count(d.offset)} 字节起，数据后面多出 ${count(d.got)} 字节，已略过。`,
  "not-utf8": (d) => `第 ${count(d.offset)} 字节不是 UTF-8，已按 ${d.encoding} 读取。`,
};

const tell = <C extends string>(table: { [K in C]: (details: never) => string }, { code, details }: { code: C; details: unknown }): string =>
  (table[code] as (details: unknown) => string)(details);

export const own: Messages["own"] = {
  title: "自己的数据",
  lead: "每行一个词元，每列一个特征。数据不会离开你的电脑。",
  paste: "粘贴表格",
  pasteHint: "可直接从电子表格复制，数字之间用逗号、分号、制表符或空格隔开。",
  pasted: "粘贴的表格",
  choose: "选择文件…",
  drop: "或把文件拖到这里：.npy .npz .safetensors .csv .tsv .txt .json",
  reading: (name, bytes) => `正在读取 ${name}（${megabytes(bytes)}）…`,
  fault: (fault: Fault) => `${fault.tensor === undefined ? "" : `${fault.tensor}：`}${tell(faults, fault)}`,
  unreadable: (reason) => `浏览器读不了这个文件：${reason}`,
  kept: "页面上的数据保持不变。",
  refused: "未读入",
  warning: (warning: FileWarning) => tell(warnings, warning),
  which: "数组",
  shape: shapeText,
  slice: "这个数组超过两维，要看哪个切片？",
  axis: (axis, size) => `第 ${axis} 维下标（0 到 ${count(size - 1)}）`,
  axisProblem: (size) => `请填 0 到 ${count(size - 1)} 之间的整数`,
  preview: (rows, cols) => `${count(rows)} 行 × ${count(cols)} 列`,
  previewTable: "开头的几行几列",
  cut: (used, rows) => `共 ${count(rows)} 行，只用前 ${count(used)} 行：最多 4,194,304 个数。`,
  tooWide: (cols) => `一行有 ${count(cols)} 个数，最多 4,194,304 个。`,
  inLink: "数据不多，会写进链接：打开链接的人能看到这些数。",
  inMemory: "数据太多，放不进链接：只保留在当前标签页，链接里只有各项设置。",
  cancel: "取消",
  use: "使用这些数据",
};
