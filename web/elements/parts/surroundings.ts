/** Whether the page around an element is light or dark: by what it paints, which need not be what the system prefers. */
import { onSystemTheme, resolveTheme, type Theme } from "./theme.js";

/** Pages change their colours by an attribute of these, and often slide there. */
const SLIDE_MS = 400;

const listeners = new Set<() => void>();
let stop: (() => void) | undefined;

/** Calls back when the colours of the page may have changed; returns the function that ends it. One observer serves all elements. */
export function onSurroundings(listener: () => void): () => void {
  listeners.add(listener);
  stop ??= watch();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = undefined;
  };
}

function watch(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => listeners.forEach((listener) => listener());
  const tellTwice = (): void => {
    tell();
    clearTimeout(timer);
    timer = setTimeout(tell, SLIDE_MS);
  };
  const observer = new MutationObserver((records) => {
    // Some pages write their scroll place into the style at every frame.
    if (records.some(({ attributeName }) => attributeName !== "style")) tellTwice();
  });
  for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true });
  const endSystem = onSystemTheme(tellTwice);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    endSystem();
  };
}

/** The tone of the nearest ground that is painted behind an element; a page that paints none has the browser's own. */
export function toneAround(element: Element): Theme {
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const tone = toneOf(getComputedStyle(at).backgroundColor);
    if (tone) return tone;
  }
  return browserGround();
}

const parentOf = (element: Element): Element | null => {
  if (element.assignedSlot) return element.assignedSlot;
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};

/** undefined for what is seen through. */
function toneOf(colour: string): Theme | undefined {
  const [red, green, blue, alpha] = channels(colour);
  if (alpha! < 128) return undefined;
  return 0.299 * red! + 0.587 * green! + 0.114 * blue! < 128 ? "dark" : "light";
}

let pixel: CanvasRenderingContext2D | null | undefined;

/** Any colour that the browser knows as bytes. */
function channels(colour: string): readonly number[] {
  const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
  if (plain) return [plain[1], plain[2], plain[3], Number(plain[4] ?? 1) * 255].map(Number);
  pixel ??= Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  if (!pixel) return [0, 0, 0, 0];
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  return [...pixel.getImageData(0, 0, 1, 1).data];
}

/** What an empty page is painted with: the browser's own ground, dark only where the page asks for that. */
function browserGround(): Theme {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const asked = scheme === "normal" ? document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')?.content ?? "" : scheme;
  return asked.includes("dark") ? (asked.includes("light") ? resolveTheme("auto") : "dark") : "light";
}
