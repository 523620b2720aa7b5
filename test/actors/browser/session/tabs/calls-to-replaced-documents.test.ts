/** Tests that a call for one document is never answered by the document that replaces it. */
import { expect, test } from "bun:test";
import type { ContextSession } from "../../../../../actors/browser/session/browser-session.ts";
import { DocumentGone } from "../../../../../actors/browser/session/tabs/tab-frames.ts";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

/** Returns the frames of the session's tab, and its main frame with the current document. */
const shown = () => {
  // The cast is safe: every session that the browser of this test opens is an instance of this class.
  const { tab } = stage.session as ContextSession;
  return { frames: tab.frames, main: tab.frames.main };
};

test("a script call to a replaced document fails, even if the new document uses the same element numbers", async () => {
  await stage.show("<button>One</button>");
  const { frames, main } = shown();
  expect(await frames.call(main, "actionability", "describe", 1)).toMatchObject({ name: "One" });
  await stage.show("<button>Two</button>");
  expect(await frames.call(shown().main, "actionability", "describe", 1)).toMatchObject({ name: "Two" });
  await expect(frames.call(main, "actionability", "describe", 1)).rejects.toBeInstanceOf(DocumentGone);
  await expect(frames.evaluate(main, "1")).rejects.toBeInstanceOf(DocumentGone);
});

test("the first script call to a document fails if the document was replaced before the call", async () => {
  await stage.show("<button>One</button>");
  const { frames, main } = shown();
  const unasked = { ...main, world: undefined };
  await expect(frames.call(unasked, "actionability", "describe", 1)).rejects.toBeInstanceOf(DocumentGone);
});

test.if(isFull)("a click is reported as a navigation however fast the next document loads", async () => {
  stage.site.routes.set("/next", html("Next", "<button>Next</button>"));
  for (let time = 0; time < 25; time++) {
    const data = await stage.show(`<a href="/next">Go</a>`);
    const clicked = await stage.act("click", { index: called(data, "Go").highlight_index });
    expect(clicked).toMatchObject({ success: true, data: { clicked: true, effect: "navigated" } });
  }
});
