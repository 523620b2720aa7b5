/**
 * A Cairn that the end-to-end test files of one process share. Its start, its end and the start of its Chromium
 * take more CPU time than many of these files. A file that stops or kills its Cairn, needs settings or reads
 * lists of all maps starts a Cairn of its own.
 */
import { afterAll } from "bun:test";
import { Cairn, dataFolder } from "./cairn-test-process.ts";

/** Time limit in milliseconds for closing the sessions of a file. */
const CLOSING_TIMEOUT = 60_000;

let shared: Promise<Cairn> | undefined;

/**
 * Returns the Cairn that all test files of this process share. A test file uses ids of maps, jobs and sessions that no
 * other file uses, and calls `leaveSharedCairn` in the end.
 */
export function sharedCairn(): Promise<Cairn> {
  shared ??= dataFolder().then(({ path: data }) =>
    Cairn.start({ data, env: { CAIRN_WORKERS: "1" }, endsWithTests: true }),
  );
  return shared;
}

/**
 * Closes all sessions of the shared Cairn, at the end of a test file. The test files of a process run one after
 * another, so all open sessions belong to the file that ends.
 */
export async function leaveSharedCairn(): Promise<void> {
  const cairn = await shared;
  const { sessions } = (await cairn?.get("/api/sessions"))?.body ?? { sessions: [] };
  for (const { room_name } of sessions) {
    const { status, body } = (await cairn?.call("close_browser_session", { room_name })) ?? {};
    if (status !== 200) throw new Error(`session ${room_name} was not closed: ${JSON.stringify(body)}`);
  }
}

/**
 * Returns the shared Cairn, like `sharedCairn`. After the tests of the calling file, all sessions in it are closed.
 */
export async function cairnOfTests(): Promise<Cairn> {
  const cairn = await sharedCairn();
  afterAll(leaveSharedCairn, CLOSING_TIMEOUT);
  return cairn;
}
