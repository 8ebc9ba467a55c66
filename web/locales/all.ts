/** Provides every language at once, for elements that stand in someone else's page. */
import { en } from "./en.js";
import { provideMessages } from "./index.js";
import { zh } from "./zh.js";

export function provideAllMessages(): void {
  provideMessages("en", en);
  provideMessages("zh", zh);
}
