/** Tests what happens to a window that a page opens when the session already has the maximum number of tabs. */
import { expect, test } from "bun:test";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

test.if(isFull)(
  "a window over the limit of tabs is closed, and the action that opened it fails with tab_limit, although the page received its click",
  async () => {
    const { most } = { most: sessionLimits.tabs };
    const data = await stage.show(
      `<p id="n"></p><button onclick="n.textContent = did.push('open'); window.open('about:blank')">Open</button>`,
    );
    const index = called(data, "Open").highlight_index;
    for (let tabs = 1; tabs < most; tabs++) {
      const outcome = await stage.act("click", { index });
      expect(outcome).toMatchObject({ success: true });
      while ((await stage.session.context()).tabs.length <= tabs) await Bun.sleep(5);
    }
    const { success, data: reported } = await stage.act("click", { index });
    expect([success, reported.code, reported.clicked]).toEqual([false, "tab_limit", true]);
    expect((await stage.session.context()).tabs).toHaveLength(most);
    expect(await stage.run("did.length")).toBe(most);
    expect((await stage.session.save(false)).heapBytes).toBeGreaterThan(100_000);
  },
  60_000,
);
