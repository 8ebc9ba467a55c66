/** Starts the page, once the language that it opens in is there. */
import { define } from "../elements/parts/define.js";
import { fetchMessagesBy, provideMessages, resolveLanguage } from "../locales/index.js";
import { initialState } from "../state/schema.js";
import { parseHash } from "../state/url.js";
import { fetchLanguage } from "./languages.js";
import { AddnormPage } from "./page.js";
import { sendFor } from "./views.js";

const { view, lang } = { ...initialState, ...parseHash(location.hash).patch };
const language = resolveLanguage(lang);
sendFor(view);
fetchMessagesBy(fetchLanguage);
provideMessages(language, await fetchLanguage(language));
define("addnorm-page", AddnormPage);
