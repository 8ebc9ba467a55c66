/** Starts the page, once the language that it opens in is there. */
import { define } from "../elements/parts/define.js";
import { resolveLanguage } from "../locales/index.js";
import { parseHash } from "../state/url.js";
import { bringLanguage } from "./languages.js";
import { AddnormPage } from "./page.js";

await bringLanguage(resolveLanguage(parseHash(location.hash).patch.lang ?? "auto"));
define("addnorm-page", AddnormPage);
