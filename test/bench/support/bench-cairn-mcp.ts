/** Runs `cairn mcp` over stdio. It has its own data folder and uses the Chromium of the bench. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type McpAnswer, McpProcess } from "./bench-mcp-process.ts";

const ROOT = join(import.meta.dir, "../../..");
const ROOM = "bench";
/**
 * Maximum number of attempts to make the first call. Each attempt waits some seconds for the start of Cairn.
 */
const STARTS = 10;

export class CairnMcp {
  readonly #mcp: McpProcess;
  readonly #data: string;

  private constructor(mcp: McpProcess, data: string) {
    this.#mcp = mcp;
    this.#data = data;
  }

  static async start(): Promise<CairnMcp> {
    const data = mkdtempSync(join(tmpdir(), "cairn-bench-data-"));
    const mcp = await McpProcess.start({
      command: process.execPath,
      args: [join(ROOT, "gateway/main.ts"), "mcp"],
      cwd: ROOT,
      env: { CAIRN_DATA: data, CAIRN_EVALUATE: "yes" },
    });
    for (let left = STARTS; ; left--) {
      try {
        const viewport = { viewport_width: 1_280, viewport_height: 800 };
        await mcp.call("start_browser_session", { room_name: ROOM, ...viewport });
        return new CairnMcp(mcp, data);
      } catch (error) {
        // While the workers are starting on a busy machine, the call fails with this error and is repeated.
        if (left === 0 || !String(error).includes("system.unavailable")) throw error;
      }
    }
  }

  open(url: string): Promise<McpAnswer> {
    return this.#action("navigate", { url });
  }

  run(script: string): Promise<McpAnswer> {
    return this.#action("evaluate", { code: script });
  }

  analyze(since?: number): Promise<McpAnswer> {
    return this.#mcp.call("analyze_page", {
      room_name: ROOM,
      ...(since === undefined ? {} : { since_revision: since }),
    });
  }

  tools(): Promise<string> {
    return this.#mcp.tools();
  }

  async close(): Promise<void> {
    this.#mcp.close();
    await rm(this.#data, { recursive: true, force: true });
  }

  #action(action_type: string, params: Readonly<Record<string, unknown>>): Promise<McpAnswer> {
    return this.#mcp.call("execute_action", { room_name: ROOM, action_type, params });
  }
}
