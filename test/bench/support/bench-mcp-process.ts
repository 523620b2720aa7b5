/**
 * Runs an MCP server as a child process over stdio. It is measured as a client sees it: by the text that a
 * client would pass on to a model.
 */
import { JsonLineProcess } from "./bench-json-line-process.ts";

export interface McpAnswer {
  /** All content that a client passes on to a model: texts, and structured content if there is any. */
  readonly text: string;
  readonly milliseconds: number;
}

interface McpResult {
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class McpProcess {
  readonly #process: JsonLineProcess;
  #last = 0;

  private constructor({ command, args, cwd, env }: McpCommand) {
    this.#process = new JsonLineProcess(command, args, cwd, env);
  }

  static async start(command: McpCommand): Promise<McpProcess> {
    const mcp = new McpProcess(command);
    await mcp.#request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "cairn-bench", version: "1" },
    });
    mcp.#process.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    return mcp;
  }

  async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<McpAnswer> {
    const start = performance.now();
    // The cast is safe: MCP defines this shape for the result of `tools/call`.
    const result = (await this.#request("tools/call", { name, arguments: args })) as McpResult;
    const milliseconds = performance.now() - start;
    const texts = result.content.map((part) => part.text ?? "");
    const structured =
      result.structuredContent === undefined ? [] : [JSON.stringify(result.structuredContent)];
    const text = [...texts, ...structured].join("\n");
    if (result.isError) throw new Error(`${name} failed: ${text.slice(0, 2_000)}`);
    return { text, milliseconds };
  }

  /** Returns the milliseconds of a `ping`, which a server answers with the least work. */
  async ping(): Promise<number> {
    const start = performance.now();
    await this.#request("ping", {});
    return performance.now() - start;
  }

  /** Returns the list of tools as JSON, as it is transmitted. */
  async tools(): Promise<string> {
    return JSON.stringify(await this.#request("tools/list", {}));
  }

  close(): void {
    this.#process.close();
  }

  async #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#last;
    this.#process.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    for (;;) {
      const answer = await this.#process.receive();
      if (answer.id !== id) continue;
      if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
      return answer.result;
    }
  }
}
