/** The folder of temporary browser profiles, and its cleanup after crashes. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export const PROFILE_PREFIX = "profile-";

/**
 * Removes browser profiles that a killed Cairn has left. It must be called only when no browser of this
 * folder can be running.
 */
export async function sweepProfiles(folder: string): Promise<void> {
  // The error is ignored: the folder does not exist before the first browser was started.
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    if (name.startsWith(PROFILE_PREFIX))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
