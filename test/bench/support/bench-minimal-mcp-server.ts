/**
 * The server with the shortest possible answer time, for the bench of MCP: a process over stdio that answers each
 * message after one round trip to a page. It has no MCP library, checks nothing and reads nothing from the page.
 * Usage: `bun bench-minimal-mcp-server.ts <path of Chromium>`
 */
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { launchChromium } from "../../../actors/browser/chromium/launch-chromium.ts";
import { rawContext } from "./bare-browser-context.ts";

const [path = ""] = process.argv.slice(2);
const chromium = await launchChromium({ path, folder: tmpdir() });
const { session } = await rawContext(chromium.connection);

createInterface({ input: process.stdin }).on("line", async (line) => {
  // The cast is safe: the bench sends only messages of JSON-RPC.
  const { id } = JSON.parse(line) as { readonly id?: number };
  if (id === undefined) return;
  await session.send("Runtime.evaluate", { expression: "1" });
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n`);
});
