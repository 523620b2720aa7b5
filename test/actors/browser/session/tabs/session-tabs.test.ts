/** Tests the list of a session's tabs. The pages are not opened, because only the identities of the tabs matter here. */
import { expect, test } from "bun:test";
import type { Tab } from "../../../../../actors/browser/session/tabs/browser-tab.ts";
import type { PageOpener } from "../../../../../actors/browser/session/tabs/open-pages-for-session.ts";
import { SessionTabs } from "../../../../../actors/browser/session/tabs/session-tabs.ts";

/** Returns the tabs of a session. A tab in `closing` closes while the session attaches to it. */
function tabsWith(closing: readonly string[]) {
  const events: string[] = [];
  // The casts are safe: `SessionTabs` reads only these members.
  const pageOpener = { isHidden: async () => false, openPage: async () => "opened" } as unknown as PageOpener;
  const tabs: SessionTabs = new SessionTabs({
    pageOpener,
    preparedPage: undefined,
    attach: async (targetId) => {
      const tab = { targetId, frames: new Map(), url: `http://site.test/${targetId}` } as unknown as Tab;
      if (closing.includes(targetId)) tabs.remove(tab);
      return tab;
    },
    onAdded: ({ targetId }) => events.push(`added ${targetId}`),
    onRemoved: ({ targetId }) => events.push(`removed ${targetId}`),
    onEmpty: () => events.push("empty"),
  });
  return { tabs, events };
}

test("a window that closes while Cairn connects to it does not become a tab of the session", async () => {
  const { tabs, events } = tabsWith(["popup"]);
  await tabs.openActive();
  await tabs.adopt("popup");
  await tabs.adopt("window");
  expect(tabs.all.map(({ targetId }) => targetId)).toEqual(["opened", "window"]);
  expect(events).toEqual(["added opened", "added window"]);
});

test("a session has no tab if its only tab closes while Cairn connects to this tab", async () => {
  const { tabs, events } = tabsWith(["opened"]);
  await tabs.open();
  expect([tabs.all, events]).toEqual([[], ["empty"]]);
});
