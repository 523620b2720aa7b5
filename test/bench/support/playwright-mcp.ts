/** `@playwright/mcp` over stdio in the bench of analyses: its `browser_snapshot`, timed as its client sees it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonLineProcess } from "./json-line-process.ts";

const CLI = join(import.meta.dir, "../node_modules/@playwright/mcp/cli.js");

export class PlaywrightMcp {
  readonly #process: JsonLineProcess;
  #last = 0;

  private constructor(chromium: string) {
    this.#process = new JsonLineProcess(
      "node",
      [CLI, "--headless", "--isolated", "--no-sandbox", "--viewport-size", "1280x800"].concat([
        "--executable-path",
        chromium,
      ]),
      // The server writes files into its working directory.
      mkdtempSync(join(tmpdir(), "cairn-bench-mcp-")),
    );
  }

  static async start(chromium: string): Promise<PlaywrightMcp> {
    const mcp = new PlaywrightMcp(chromium);
    await mcp.#request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "cairn-bench", version: "1" },
    });
    mcp.#process.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return mcp;
  }

  async open(url: string): Promise<void> {
    await this.#call("browser_navigate", { url });
  }

  /** The text that a model receives. */
  snapshot(): Promise<string> {
    return this.#call("browser_snapshot", {});
  }

  close(): void {
    this.#process.close();
  }

  async #call(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const result = await this.#request("tools/call", { name, arguments: args });
    // The result shape of MCP.
    const { content, isError } = result as { content: { text?: string }[]; isError?: boolean };
    const text = content.map((part) => part.text ?? "").join("\n");
    if (isError) throw new Error(`${name} of @playwright/mcp failed: ${text}`);
    return text;
  }

  async #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#last;
    this.#process.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    for (;;) {
      const answer = await this.#process.receive();
      if (answer.id !== id) continue;
      if (answer.error) throw new Error(`@playwright/mcp: ${JSON.stringify(answer.error)}`);
      return answer.result;
    }
  }
}
