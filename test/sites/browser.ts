/** The browser of tests that run kinds in their own thread: started by the first page that is rendered, if any. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "../../actors/browser/index.ts";

export const browser = createBrowser({
  folder: join(tmpdir(), "cairn-test-browser"),
  userAgent: "Cairn/test",
  log: () => {},
});
