/**
 * `npm run check`: checks types and style, and then runs the tests in `test/house/` (import rules, language,
 * invariants).
 */
import { join } from "node:path";
import { reportChecks, runChecks, TEST_TIMEOUT } from "./type-and-style-checks.ts";

const failures = reportChecks(await runChecks());
const house = Bun.spawn([process.execPath, "test", `--timeout=${TEST_TIMEOUT}`, "./test/house"], {
  cwd: join(import.meta.dir, ".."),
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
const code = await house.exited;
process.exit(failures > 0 || code !== 0 ? 1 : 0);
