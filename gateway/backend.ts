/**
 * The door to the actors, opened only by commands that need them: `--help` loads no database.
 *
 * The return type holds `actors/index.ts` to the port in `system.ts`.
 */
import type { Backend } from "./system.ts";

export async function loadBackend(): Promise<Backend> {
  return import("../actors/index.ts");
}
