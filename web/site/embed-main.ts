/** Starts the embedded view, once its language is there. */
import { define } from "../elements/parts/define.js";
import { fetchMessagesBy, provideMessages, resolveLanguage } from "../locales/index.js";
import { initialState } from "../state/schema.js";
import { parseHash } from "../state/url.js";
import { AddnormEmbed } from "./embed.js";
import { fetchLanguage } from "./languages.js";
import { sendFor } from "./views.js";

async function start(): Promise<void> {
  const { view, lang } = { ...initialState, ...parseHash(location.search).patch };
  const language = resolveLanguage(lang);
  sendFor(view);
  fetchMessagesBy(fetchLanguage);
  provideMessages(language, await fetchLanguage(language));
  define("addnorm-embed", AddnormEmbed);
}

void start();
