/** The site that is crawled, served by a process of its own so that its CPU time counts for nobody. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface SiteProcess {
  readonly origin: string;
  stop(): void;
}

/** @param copies how many copies of the folder the site holds, or pages of the `generated` site (see `site.ts`) */
export async function startSite(folder: string, copies = 0): Promise<SiteProcess> {
  const script = join(import.meta.dir, "site.ts");
  const child = spawn(process.execPath, [script, folder, String(copies)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { origin: line.trim(), stop: () => void child.kill() };
  }
  throw new Error("the site's process ended before it said where it is");
}
