/**
 * Reads and restores what a page's origin has stored in the browser, such as a chosen theme. Explorations use
 * this to undo what their clicks have stored.
 */
import type { Items } from "../../../../machines/session/state/saved-session.ts";
import type { Tab } from "../tabs/browser-tab.ts";

export interface OriginStorage {
  readonly origin: string;
  readonly local: Items;
  readonly session: Items;
}

function readItems(): OriginStorage {
  return {
    origin: location.origin,
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
  };
}

function writeItems({ origin, local, session }: OriginStorage): void {
  if (location.origin !== origin) return;
  const write = (storage: Storage, items: Items): void => {
    if (JSON.stringify(Object.entries(storage)) === JSON.stringify(items)) return;
    storage.clear();
    for (const [key, value] of items) storage.setItem(key, value);
  };
  write(localStorage, local);
  write(sessionStorage, session);
}

/**
 * Returns what the origin of the tab's page has stored. Returns `undefined` when the page has no storage or
 * cannot be read.
 */
export async function readOriginStorage(tab: Tab): Promise<OriginStorage | undefined> {
  // The cast is safe: `readItems` returns an `OriginStorage`, and the page sends it as JSON.
  return (await evaluate(tab, `(${readItems})()`)) as OriginStorage | undefined;
}

/** Restores the stored data, if the page still belongs to the same origin. */
export async function writeOriginStorage(tab: Tab, storage: OriginStorage): Promise<void> {
  await evaluate(tab, `(${writeItems})(${JSON.stringify(storage)})`);
}

async function evaluate(tab: Tab, expression: string): Promise<unknown> {
  try {
    const options = { expression, returnByValue: true };
    const sent = tab.frames.main.session.send("Runtime.evaluate", options);
    const { result, exceptionDetails } = await tab.answer(sent);
    // Reading the storage throws an exception in a sandboxed page, which has no storage.
    return exceptionDetails ? undefined : result.value;
  } catch {
    // The error is ignored: when the page has an open dialog or is being replaced, its storage stays as it
    // is.
    return undefined;
  }
}
