/**
 * Tests with a real Chromium that a session with an open dialog is not saved, and that this is not reported
 * as a defect.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { ContextSession } from "../../../actors/browser/session/browser-session.ts";
import type { SessionStates } from "../../../actors/session/encrypted-session-states.ts";
import { Autosave } from "../../../actors/session/session-autosave-and-hibernation.ts";
import { stageOfTests } from "../browser/session/session-for-one-test-file.ts";

setDefaultTimeout(60_000);

const stage = await stageOfTests();

test("a session with an open dialog is neither saved nor hibernated, and only a debug line of the log states that", async () => {
  await stage.show("<h1>Orders</h1>");
  await stage.run(`void setTimeout(() => confirm("Leave?"), 0)`);
  // The cast is safe: the browser of this test opens only sessions of this class.
  const { tab } = stage.session as ContextSession;
  while (!tab.dialog) await Bun.sleep(5);
  const written: unknown[] = [];
  const lines: { level: string; message: string; code: unknown }[] = [];
  const both = Promise.withResolvers<void>();
  // A new `Autosave` starts its timer at once.
  const autosave = new Autosave(
    {
      ref: { room: "r", epoch: 1 },
      session: stage.session,
      // The cast is safe: `Autosave` only writes states.
      states: { write: async (...saved: unknown[]) => written.push(saved) } as unknown as SessionStates,
      signal: new AbortController().signal,
      notify: async () => {},
      changed: () => {},
      exceeded: () => {},
      log: (level, message, { code }) => {
        lines.push({ level, message, code });
        if (lines.length === 2) both.resolve();
      },
      idle: 60_000,
    },
    false,
  );
  expect(await autosave.hibernate()).toBe(false);
  await both.promise;
  autosave.end();
  const line = { level: "debug", code: "session.dialog_open" };
  expect(lines).toEqual([
    { ...line, message: "a session could not hibernate" },
    { ...line, message: "a session could not be saved" },
  ]);
  expect(written).toEqual([]);
});
