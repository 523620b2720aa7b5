/** Serves MCP on standard input and output in this process, with a Cairn in memory. */
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { loadConfig } from "../../../gateway/config.ts";
import { createLog } from "../../../gateway/log.ts";
import { serveLocal } from "../../../gateway/mcp/mcp-stdio.ts";
import { StartingSystem } from "../../../gateway/running-system-for-waiting-requests.ts";
import { PathRedaction } from "../../../gateway/security/file-path-redaction.ts";
import { tools } from "../../../gateway/tools/index.ts";
import { ToolCalls } from "../../../gateway/tools/run-and-audit-tool-calls.ts";
import { MemoryCairn } from "../fake-cairn-for-tests.ts";

/** @param logged gets each line of the log as JSON */
export function serveInMemory(logged?: (line: string) => void) {
  const { config } = loadConfig({ CAIRN_LOG_LEVEL: logged ? "error" : "silent", CAIRN_LOG_FORMAT: "json" });
  const log = createLog(config, { write: logged ?? (() => {}) });
  const system = new StartingSystem();
  const cairn = new MemoryCairn();
  system.fill(cairn);
  const pipes = { input: new PassThrough(), output: new PassThrough() };
  const surface = {
    system,
    registry: tools,
    log,
    calls: new ToolCalls(system, log),
    pathRedaction: new PathRedaction(config),
  };
  const close = serveLocal(pipes, surface, ["core"]);
  const lines = createInterface({ input: pipes.output })[Symbol.asyncIterator]();
  const write = (text: string) => pipes.input.write(text);
  return {
    cairn,
    close,
    write,
    send: (message: Readonly<Record<string, unknown>>) =>
      write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    nextMessage: async () => JSON.parse((await lines.next()).value ?? "null"),
  };
}
