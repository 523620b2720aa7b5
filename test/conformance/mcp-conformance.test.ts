/**
 * Runs the official conformance suite of the Model Context Protocol against Cairn's endpoint. The suite needs
 * tools, prompts and resources with fixed names. So the test mounts a server that has them at
 * `/mcp-conformance` of a gateway, behind the same guard and transport as `/mcp`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { loadConfig } from "../../gateway/config.ts";
import { createLog } from "../../gateway/log.ts";
import { McpEndpoint } from "../../gateway/mcp/mcp-http-endpoint.ts";
import { LOCAL } from "../../gateway/security/api-key-scopes.ts";
import { hidden } from "../../gateway/security/http-route-scopes.ts";
import { type TestGateway, testGateway } from "../gateway/test-gateway.ts";
import { isFull } from "../test-run-tier-and-seed.ts";
import { conformanceServer } from "./mcp-conformance-server.ts";

const SUITE = join(import.meta.dir, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

let gateway: TestGateway;
let url: string;
let out: string;

beforeAll(async () => {
  gateway = testGateway();
  const bus = new InMemoryServerEventBus();
  const log = createLog(loadConfig({}).config, { write: () => undefined });
  const endpoint = new McpEndpoint(conformanceServer(bus), bus, { log, system: gateway.slot });
  gateway.sockets.beforeEnd(() => endpoint.close());
  gateway.app.all(
    "/mcp-conformance",
    ({ request }) => endpoint.handle(request, { caller: LOCAL, id: crypto.randomUUID() }),
    { parse: "none", ...hidden("read") },
  );
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${gateway.app.server?.port}/mcp-conformance`;
  out = await mkdtemp(join(tmpdir(), "cairn-conformance-"));
});

afterAll(async () => {
  await gateway.sockets.closeAll();
  await gateway.app.server?.stop(true);
  await rm(out, { recursive: true, force: true });
});

// For each revision of MCP, the suite runs the scenarios that the revision requires. It fails if a scenario
// fails. The fast tier tests the newest revision.
test.each(isFull ? ["2025-11-25", "2026-07-28"] : ["2026-07-28"])(
  "the MCP endpoint passes the official conformance suite for servers of the MCP revision %s",
  async (revision) => {
    const suite = Bun.spawn(
      [
        process.execPath,
        SUITE,
        "server",
        "--url",
        url,
        "--requirements",
        revision,
        "-o",
        join(out, revision),
      ],
      { cwd: out, stdout: "pipe", stderr: "pipe" },
    );
    const [report, errors, code] = await Promise.all([
      new Response(suite.stdout).text(),
      new Response(suite.stderr).text(),
      suite.exited,
    ]);
    expect(code === 0 ? "" : `${report}\n${errors}`).toBe("");
    expect(report).toContain("✓ tools-call-simple-text");
  },
  120_000,
);
