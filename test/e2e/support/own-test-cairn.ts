/** A Cairn of one end-to-end test file, for tests that stop it, kill it or need settings. */
import { afterAll } from "bun:test";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Cairn, type CairnOptions, dataFolder } from "./cairn-test-process.ts";
import { cairnOfTests } from "./shared-test-cairn.ts";

/** Time limit in milliseconds for the stop of a Cairn. A stop that takes 30 seconds becomes a kill. */
const STOP_TIMEOUT = 60_000;

interface OwnCairn {
  readonly data: string;
  readonly cairn: Cairn;
  /** Starts a Cairn with the same data and settings again, after the test has stopped or killed the last one. */
  start(): Promise<Cairn>;
}

/**
 * Starts a Cairn with a new data folder. After the tests of the calling file, the last Cairn is stopped and the
 * folder is removed.
 */
export async function ownCairnOfTests(options: Omit<CairnOptions, "data"> = {}): Promise<OwnCairn> {
  const folder = await dataFolder();
  const data = folder.path;
  let last: Cairn | undefined;
  const start = async (): Promise<Cairn> => {
    last = await Cairn.start({ ...options, data });
    return last;
  };
  afterAll(async () => {
    await last?.stop();
    await folder.remove();
  }, STOP_TIMEOUT);
  return { data, cairn: await start(), start };
}

/**
 * Returns a Cairn for a file of which only tests of the full tier stop or kill it. In the full tier, the file has a
 * Cairn of its own. In the fast tier, it uses the shared Cairn, which no test may stop.
 */
export async function cairnThatFullTierStops(): Promise<OwnCairn> {
  if (isFull) return await ownCairnOfTests({ env: { CAIRN_WORKERS: "1" } });
  const cairn = await cairnOfTests();
  return {
    data: cairn.data,
    cairn,
    start: () => Promise.reject(new Error("The shared Cairn is not started again.")),
  };
}
