/** Starts the page, once the language that it opens in is there. */
import { define } from "../elements/parts/define.js";
import { load } from "../lib/index.js";
import { fetchMessagesBy, provideMessages, resolveLanguage } from "../locales/index.js";
import { parseHash } from "../state/url.js";
import { fetchLanguage } from "./languages.js";
import { AddnormPage } from "./page.js";

// On their way while the scripts are; when they fail, the view asks again and says so.
load().catch(() => {});
const language = resolveLanguage(parseHash(location.hash).patch.lang ?? "auto");
fetchMessagesBy(fetchLanguage);
provideMessages(language, await fetchLanguage(language));
define("addnorm-page", AddnormPage);
