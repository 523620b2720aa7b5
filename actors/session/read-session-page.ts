/** Reads the page of a session as explorations read pages. Frames of the page are left out. */
import type { PageWithTexts, SessionPage } from "../../machines/session/page/session-page-links-and-forms.ts";
import type { BrowserSession } from "../browser/index.ts";
import { readPage, readTexts } from "../reading/index.ts";

export async function readSessionPage(browser: BrowserSession): Promise<SessionPage> {
  const [document] = await browser.documentHtml(undefined);
  const { url } = browser;
  const origin = URL.parse(url)?.origin;
  const controls = { headings: [], buttons: [], inputs: [], forms: [] };
  // Pages without an HTTP address, such as `about:blank`, have no addresses to which links could lead.
  if (!document || !/^https?:/.test(url))
    return { url, title: "", headings: [], links: [], controls, structure: "" };
  const page = readPage({ url, html: document.html, mediaType: document.contentType, routes: true });
  const links = page.links.flatMap(({ url: target, text, framed, control }) =>
    framed || URL.parse(target)?.origin !== origin ? [] : [{ url: target, text, control }],
  );
  const { title, headings, structure } = page;
  return browser.resources.redactor.mask({ url, title, headings, links, controls: page.controls, structure });
}

/** Reads the short texts of the session's page, the rows of its lists, and its headings. */
export async function readSessionTexts(browser: BrowserSession): Promise<PageWithTexts> {
  const [document] = await browser.documentHtml(undefined);
  const { url } = browser;
  if (!document || !/^https?:/.test(url)) return { url, title: "", headings: [], texts: [], rows: [] };
  const { title, headings } = readPage({ url, html: document.html, mediaType: document.contentType });
  return browser.resources.redactor.mask({ url, title, headings, ...readTexts(document.html) });
}
