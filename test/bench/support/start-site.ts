/** Starts the site of a crawl in its own process, so that its CPU time is not counted. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface SiteProcess {
  readonly origin: string;
  stop(): void;
}

/** @param copies number of copies of the folder, or of pages of the `generated` site (see `bench-site.ts`) */
export async function startSite(folder: string, copies = 0): Promise<SiteProcess> {
  const script = join(import.meta.dir, "bench-site.ts");
  const child = spawn(process.execPath, [script, folder, String(copies)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { origin: line.trim(), stop: () => void child.kill() };
  }
  throw new Error("the process of the site ended before it printed its origin");
}
