/**
 * The conformance suite of the Model Context Protocol, run against the transport that serves Cairn.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestGateway, testGateway } from "../test-gateway.ts";

const SUITE = join(import.meta.dir, "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

let gateway: TestGateway;
let url: string;
let out: string;

beforeAll(async () => {
  gateway = testGateway({ env: { CAIRN_MCP_CONFORMANCE: "yes" } });
  gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${gateway.app.server?.port}/mcp-conformance`;
  out = await mkdtemp(join(tmpdir(), "cairn-conformance-"));
});

afterAll(async () => {
  await gateway.sockets.closeAll();
  await gateway.app.server?.stop(true);
  await rm(out, { recursive: true, force: true });
});

/** The suite knows which scenarios a revision requires, and fails when one of them does. */
test.each(["2025-11-25", "2026-07-28"])(
  "all scenarios that %s requires of a server pass",
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
    const [told, wrong, code] = await Promise.all([
      new Response(suite.stdout).text(),
      new Response(suite.stderr).text(),
      suite.exited,
    ]);
    expect(code === 0 ? "" : `${told}\n${wrong}`).toBe("");
    expect(told).toContain("✓ tools-call-simple-text");
  },
  120_000,
);

test("the fixtures are there only when they are asked for", async () => {
  const { status } = await testGateway().call("POST", "/mcp-conformance", {});
  expect(status).toBe(404);
});
