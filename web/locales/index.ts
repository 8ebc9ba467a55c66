/**
 * The catalogue: which language a reader gets, and its messages. The messages are given by whoever starts the elements,
 * so that a page need not fetch languages that nobody reads.
 */
import type { en } from "./en.js";

export type Messages = typeof en;
export type Language = "en" | "zh";

const catalogue: Partial<Record<Language, Messages>> = {};
const listeners = new Set<() => void>();
const asked = new Set<Language>();
let fetchMessages: ((language: Language) => Promise<Messages>) | undefined;

export function provideMessages(language: Language, messages: Messages): void {
  catalogue[language] = messages;
  for (const listener of [...listeners]) listener();
}

/** Calls back when a language arrives; returns the function that ends it. */
export function onMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Languages that were not provided are had this way, when an element first needs them. */
export function fetchMessagesBy(fetcher: (language: Language) => Promise<Messages>): void {
  fetchMessages = fetcher;
}

/** Those of the other language until the wanted ones are there. */
export function messagesFor(language: Language): Messages {
  const messages = catalogue[language];
  if (!messages && fetchMessages && !asked.has(language)) {
    asked.add(language);
    // Where they cannot be had, the next one who needs them asks again.
    fetchMessages(language).then((arrived) => provideMessages(language, arrived), () => asked.delete(language));
  }
  return (messages ?? catalogue.en ?? catalogue.zh)!;
}

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
