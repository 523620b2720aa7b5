/**
 * Finds or downloads a Chromium, a nats-server and the Python manual once, before tests that run in parallel need them.
 * A failed download is printed, and only the tests that need it fail. The full tier also builds a livekit-server, which
 * takes two minutes.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provideChromium } from "../actors/browser/index.ts";
import { pythonManual } from "./e2e/support/python-manual-site.ts";
import { provideLiveKit } from "./support/test-livekit-server.ts";
import { natsBinary } from "./support/test-nats-binary.ts";

const TIMEOUT = 300_000;

export async function provideForTests(
  say: (line: string) => void,
  { full }: { readonly full: boolean },
): Promise<void> {
  const chromium = provideChromium({
    folder: join(tmpdir(), "cairn-test-browser"),
    chromium: process.env.CAIRN_CHROMIUM,
    log: (_level, message) => say(message),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  for (const outcome of await Promise.allSettled([
    chromium,
    natsBinary(),
    pythonManual(),
    ...(full ? [provideLiveKit()] : []),
  ])) {
    if (outcome.status === "rejected") say(String(outcome.reason));
  }
}
