/** The page's languages, each a file of its own. */
import type { Language, Messages } from "../locales/index.js";

const languages: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import("../locales/en.js")).en,
  zh: async () => (await import("../locales/zh.js")).zh,
};

export const fetchLanguage = (language: Language): Promise<Messages> => languages[language]();
