/**
 * Runs the command line of the MCP Inspector many times in one process, because starting it takes longer than
 * most calls. It reads one JSON array of arguments per line, and writes the result of each run as a line `{
 * code, out, err }`.
 */

import { join } from "node:path";
import { createInterface } from "node:readline";

const CLI = join(
  import.meta.dir,
  "../../../node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js",
);
const { runCli }: { runCli(argv: readonly string[]): Promise<void> } = await import(CLI);

const say = process.stdout.write.bind(process.stdout);
let out = "";
let err = "";

/**
 * Returns a replacement for the method `write` of a stream. It passes the text to `keep`, and reports that
 * the text was written.
 */
function kept(keep: (text: string) => void): typeof process.stdout.write {
  return (text: string | Uint8Array, ...rest: unknown[]) => {
    keep(typeof text === "string" ? text : new TextDecoder().decode(text));
    const done = rest.find((each): each is () => void => typeof each === "function");
    done?.();
    return true;
  };
}
process.stdout.write = kept((text) => {
  out += text;
});
process.stderr.write = kept((text) => {
  err += text;
});

function codeOf(thrown: unknown): number {
  err += thrown instanceof Error ? thrown.message : String(thrown);
  const code = typeof thrown === "object" && thrown !== null && "exitCode" in thrown ? thrown.exitCode : 1;
  return typeof code === "number" ? code : 1;
}

for await (const line of createInterface({ input: process.stdin })) {
  out = "";
  err = "";
  const args: readonly string[] = JSON.parse(line);
  const code = await runCli(["bun", "mcp-inspector", ...args]).then(() => 0, codeOf);
  say(`${JSON.stringify({ code, out, err })}\n`);
}
process.exit(0);
