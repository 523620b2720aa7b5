/**
 * Opens the page of an object by a click on its row, as a person does in lists without links (Directus, Strapi, the data
 * grids of Material UI).
 */
import { setTimeout as pause } from "node:timers/promises";
import type { ObjectRow } from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";
import type { SessionPage } from "../../../machines/session/page/session-page-links-and-forms.ts";
import type { SearchedSession } from "./session-interface-for-task-search.ts";

/** Maximum time in milliseconds in which a click on a row opens its page. */
const OPENS_WITHIN = 5_000;
/** Interval in milliseconds at which the address is read again after the click. */
const EVERY = 300;

/** Returns the row itself, if it reacts to clicks and no link in it leads to the object. */
export function clickableRow({ xpath, elements }: ObjectRow): HighlightedElement | undefined {
  if (elements.some(({ attributes }) => attributes.href !== undefined)) return undefined;
  return elements.find(
    (one) => one.xpath === xpath && one.interactionType === "click" && one.covered === undefined,
  );
}

/** Clicks a row. Returns the page that it opens; `undefined` if the address stays the same. */
export async function openRow(
  session: SearchedSession,
  row: ObjectRow,
  url: string,
): Promise<SessionPage | undefined> {
  const clickable = clickableRow(row);
  if (!clickable || !(await session.press(clickable.highlight_index))) return undefined;
  const until = performance.now() + OPENS_WITHIN;
  for (;;) {
    const page = await session.page();
    const [from, to] = [URL.parse(url), URL.parse(page.url)];
    if (from && to && to.origin === from.origin && to.pathname !== from.pathname) return page;
    if (performance.now() >= until) return undefined;
    await pause(EVERY);
  }
}
