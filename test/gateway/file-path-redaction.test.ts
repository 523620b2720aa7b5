/** Tests that no answer contains a path of the machine that runs Cairn. */
import { expect, test } from "bun:test";
import { homedir } from "node:os";
import { PathRedaction } from "../../gateway/security/file-path-redaction.ts";
import { Unavailable } from "../../machines/errors.ts";
import { testGateway } from "./test-gateway.ts";

const CHROMIUM = "/apps/own/chromium";
const env = { CAIRN_DATA: "/data/of/cairn", CAIRN_CHROMIUM: CHROMIUM };
const message = `The database in /data/of/cairn/db, ${CHROMIUM} and ${homedir()}/x are away.`;

test("configured folders in messages are replaced by the names of their settings", () => {
  const places = new PathRedaction({
    dataDir: "/data/of/cairn",
    chromium: CHROMIUM,
    natsCreds: undefined,
    natsCa: undefined,
    natsCert: undefined,
    natsKey: undefined,
  });
  expect(places.hide(message)).toBe("The database in CAIRN_DATA/db, CAIRN_CHROMIUM and ~/x are away.");
  expect(places.hide("GET /api/knowledge lists the maps.")).toBe("GET /api/knowledge lists the maps.");
});

test("a text that is not a path is not changed when paths are removed from messages", () => {
  const named = { dataDir: "/", chromium: "chromium", natsCreds: "", natsCa: undefined };
  const places = new PathRedaction({ ...named, natsCert: undefined, natsKey: undefined });
  expect(places.hide("chromium at http://a.example/b/c")).toBe("chromium at http://a.example/b/c");
});

test("errors, readiness and pages contain no file path of the machine, over REST, tool calls and MCP", async () => {
  const { call, cairn, app } = testGateway({ env });
  cairn.failure = new Unavailable("store.unavailable", message);
  cairn.checks = { store: { ok: false, detail: message } };
  const answers = [
    await call("GET", "/api/knowledge"),
    await call("POST", "/mcp/tools/call", {
      tool: "query_knowledge",
      arguments: { query_type: "search", params: { query: "x" } },
    }),
    await call("GET", "/ready"),
    await call(
      "POST",
      "/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "list_knowledge",
          arguments: {},
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      },
      {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "list_knowledge",
      },
    ),
  ].map(({ body }) => JSON.stringify(body));
  const html = { host: "127.0.0.1:8000", accept: "text/html" };
  const request = new Request("http://127.0.0.1:8000/api/knowledge", { headers: html });
  answers.push(await (await app.handle(request)).text());
  for (const answer of answers) {
    expect(answer).toContain("CAIRN_DATA/db");
    expect(answer).not.toContain("/data/of");
    expect(answer).not.toContain(CHROMIUM);
    expect(answer).not.toContain(homedir());
  }
});
