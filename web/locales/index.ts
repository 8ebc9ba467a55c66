/** The catalogue: which language a reader gets, and its messages. */
import { en } from "./en.js";
import { zh } from "./zh.js";

export type Messages = typeof en;
export type Language = "en" | "zh";

const catalogue: Readonly<Record<Language, Messages>> = { en, zh };

export const messagesFor = (language: Language): Messages => catalogue[language];

const known = (tag: string | null | undefined): Language | undefined => {
  const prefix = tag?.slice(0, 2).toLowerCase();
  return prefix === "en" || prefix === "zh" ? prefix : undefined;
};

/** "auto" means: the nearest lang around the element that is known here, then the reader's own list, then English. */
export function resolveLanguage(wanted: "auto" | Language, element?: Element): Language {
  if (wanted !== "auto") return wanted;
  const around = known(element?.closest("[lang]")?.getAttribute("lang"));
  if (around) return around;
  for (const tag of globalThis.navigator?.languages ?? []) {
    const language = known(tag);
    if (language) return language;
  }
  return "en";
}
