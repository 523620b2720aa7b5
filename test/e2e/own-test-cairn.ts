/** A Cairn of one end-to-end test file, for tests that stop it, kill it or need settings. */
import { afterAll } from "bun:test";
import { Cairn, type CairnOptions, dataFolder } from "./cairn-test-process.ts";

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
