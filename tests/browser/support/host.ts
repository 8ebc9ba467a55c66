// A stranger's page that holds elements or frames: served beside the built page, with the host's own styles and scripts.
import type { Locator, Page } from "playwright-core";
import { open, origin, withPage, type OpenOptions, type Opened } from "./browser.js";

export const ELEMENTS = '<script type="module" src="/elements.js"></script>';

/** Another of the host's addresses, and what lies there. */
export type Files = Readonly<Record<string, string>>;

function hosted(html: string, { before, ...options }: OpenOptions, files: Files): OpenOptions {
  return {
    ...options,
    early: true,
    url: `${origin}/host/`,
    before: async (page) => {
      for (const [path, body] of Object.entries({ "/host/": html, ...files })) {
        await page.route((url) => url.origin === origin && url.pathname === path, (route) => route.fulfill({ contentType: path.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8", body }));
      }
      await before?.(page);
    },
  };
}

/** `html` is what stands in the body, or a whole document. */
const whole = (html: string): string => (html.startsWith("<!doctype") ? html : `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>host</title><body>${html}</body></html>`);

export const withHost = (html: string, use: (page: Page) => Promise<void>, options: OpenOptions = {}, files: Files = {}): Promise<void> =>
  withPage(hosted(whole(html), options, files), use);

export const openHost = (html: string, options: OpenOptions = {}, files: Files = {}): Promise<Opened> => open(hosted(whole(html), options, files));

/** Waits until an element has drawn numbers. */
export async function drawn(element: Locator): Promise<void> {
  await element.locator(".card").first().waitFor();
  await element.page().evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
