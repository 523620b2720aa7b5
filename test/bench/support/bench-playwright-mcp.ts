/** Runs `@playwright/mcp` over stdio. Benches compare Cairn with it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpProcess } from "./bench-mcp-process.ts";

const CLI = join(import.meta.dir, "../node_modules/@playwright/mcp/cli.js");

export class PlaywrightMcp {
  readonly #mcp: McpProcess;

  private constructor(mcp: McpProcess) {
    this.#mcp = mcp;
  }

  static async start(chromium: string): Promise<PlaywrightMcp> {
    const options = ["--headless", "--isolated", "--no-sandbox", "--viewport-size", "1280x800"];
    return new PlaywrightMcp(
      await McpProcess.start({
        command: "node",
        args: [CLI, ...options, "--executable-path", chromium],
        // The server gets a temporary working directory, because it writes files there.
        cwd: mkdtempSync(join(tmpdir(), "cairn-bench-mcp-")),
      }),
    );
  }

  open(url: string) {
    return this.#mcp.call("browser_navigate", { url });
  }

  run(script: string) {
    return this.#mcp.call("browser_evaluate", { function: `() => { ${script} }` });
  }

  snapshot() {
    return this.#mcp.call("browser_snapshot");
  }

  /** Takes a snapshot that contains the box of each element, relative to the viewport. */
  snapshotWithBoxes() {
    return this.#mcp.call("browser_snapshot", { boxes: true });
  }

  tools(): Promise<string> {
    return this.#mcp.tools();
  }

  close(): void {
    this.#mcp.close();
  }
}
