/** Starts the embedded view, once its language is there. */
import { define } from "../elements/parts/define.js";
import { fetchMessagesBy, provideMessages, resolveLanguage } from "../locales/index.js";
import { parseHash } from "../state/url.js";
import { AddnormEmbed } from "./embed.js";
import { fetchLanguage } from "./languages.js";

async function start(): Promise<void> {
  const language = resolveLanguage(parseHash(location.search).patch.lang ?? "auto");
  fetchMessagesBy(fetchLanguage);
  provideMessages(language, await fetchLanguage(language));
  define("addnorm-embed", AddnormEmbed);
}

void start();
