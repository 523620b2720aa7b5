/** Starts the site to crawl in its own process, so that its CPU time does not count for the crawler. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface SiteProcess {
  readonly origin: string;
  stop(): void;
}

/**
 * @param copies number of copies of the folder; for the folder `generated`, number of pages (see
 * `bench-site-process.ts`)
 */
export async function startSite(folder: string, copies = 0): Promise<SiteProcess> {
  const script = join(import.meta.dir, "bench-site-process.ts");
  const child = spawn(process.execPath, [script, folder, String(copies)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { origin: line.trim(), stop: () => void child.kill() };
  }
  throw new Error("the process of the site ended before it printed its origin");
}
