/** Tests requests for frames of the live view that several viewers send at the same time, in a real Chromium. */
import { expect, test } from "bun:test";
import type { ContextSession } from "../../../../actors/browser/session/browser-session.ts";
import { liveViewLimits } from "../../../../machines/session/session-limits.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";

const stage = await stageOfTests();

test("viewers that request pictures of different sizes at the same time all receive a frame", async () => {
  await stage.show("<h1>Seen</h1>");
  // The cast is safe: the browser of this test opens only sessions of this class.
  const { liveView } = stage.session as ContextSession;
  const { fps, height, quality } = liveViewLimits;
  const frames = await Promise.all(
    [400, 1_280, 800, 1_280].map((width) =>
      liveView.frame({ max_width: width, max_height: height, quality, fps, after: 0 }),
    ),
  );
  for (const frame of frames) expect(frame).toMatchObject({ width: 1_280, height: 800 });
});
