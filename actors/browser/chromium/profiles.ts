/** The folder of temporary profiles, and its cleanup after crashes. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export const PROFILE_PREFIX = "profile-";

/** Removes profiles that a killed Cairn left. Call it only when no browser of this folder can be running. */
export async function sweepProfiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []); // No browser was started in this folder yet.
  for (const name of names) {
    if (name.startsWith(PROFILE_PREFIX))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
