/** A session for the tests of one file, in the browser that all test files share. */
import { afterAll } from "bun:test";
import { type SessionStage, sessionStage } from "./session-in-shared-test-browser.ts";

/** Opens a session like `sessionStage`, and closes it after the tests of the calling file. */
export async function stageOfTests(options?: Parameters<typeof sessionStage>[0]): Promise<SessionStage> {
  const stage = await sessionStage(options);
  afterAll(() => stage.close());
  return stage;
}
