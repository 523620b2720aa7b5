/** `npm run check`: types, style, and the house tests (import table, language, invariants). */
import { join } from "node:path";
import { reportChecks, runChecks } from "./checks.ts";

const failures = reportChecks(await runChecks());
const house = Bun.spawn([process.execPath, "test", "./test/house"], {
  cwd: join(import.meta.dir, ".."),
  stdin: "ignore",
  stdout: "inherit",
  stderr: "inherit",
});
process.exit(failures > 0 || (await house.exited) !== 0 ? 1 : 0);
