/** The page's languages, fetched when somebody reads them. */
import { hasMessages, provideMessages, type Language, type Messages } from "../locales/index.js";

const languages: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import("../locales/en.js")).en,
  zh: async () => (await import("../locales/zh.js")).zh,
};

export async function bringLanguage(language: Language): Promise<void> {
  if (!hasMessages(language)) provideMessages(language, await languages[language]());
}
