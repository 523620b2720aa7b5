/**
 * What the tests need of the machine, looked for or fetched once, before files that run side by side all ask for it:
 * a Chromium, a nats-server, and the Python manual.
 *
 * What cannot be had is said, and the tests that need it fail by themselves: the others still run.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideChromium } from "../actors/browser/index.ts";
import { pythonManual } from "./e2e/python-manual.ts";
import { natsBinary } from "./support/nats-binary.ts";

const PATIENCE = 300_000;

export async function provideForTests(say: (line: string) => void): Promise<void> {
  const chromium = provideChromium({
    folder: join(tmpdir(), "cairn-test-browser"),
    chromium: process.env.CAIRN_CHROMIUM,
    log: (_level, message) => say(message),
    signal: AbortSignal.timeout(PATIENCE),
  });
  for (const outcome of await Promise.allSettled([chromium, natsBinary(), pythonManual()])) {
    if (outcome.status === "rejected") say(String(outcome.reason));
  }
}
