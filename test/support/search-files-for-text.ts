/** Searches the files of a data folder for a text, for example for a secret that no file may contain. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the paths of those files in the folder and in its subfolders that contain the text. */
export async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
