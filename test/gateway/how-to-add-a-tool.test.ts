/**
 * Follows the guide's page `how-to-add-a-tool.md` on a copy of the sources, and calls the tool that the page
 * adds.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { type FollowedPage, followPage, ROOT } from "../support/apply-how-to-code-blocks.ts";
import { connectTo, textOf } from "./mcp/mcp-test-clients.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * Files and folders that are copied: everything that a gateway on a system in memory imports, except the
 * folder `actors`.
 */
const SOURCES = ["gateway", "machines", "test/gateway", "package.json"];

let page: FollowedPage;
let gateway: TestGateway;

beforeAll(async () => {
  page = await followPage("how-to-add-a-tool.md", SOURCES);
  // In the copy of the project, the folder `actors` is a link to the original. The gateway reads only state
  // machines from it.
  await symlink(join(ROOT, "actors"), join(page.folder, "actors"));
  const { testGateway } = await import(join(page.folder, "test/gateway/test-gateway.ts"));
  gateway = testGateway();
});

afterAll(async () => {
  await page.remove();
});

describe("the example tool that the guide's page how-to-add-a-tool adds", () => {
  test("is added by changing only three files", () => {
    expect(page.files.size).toBe(3);
  });

  test("can be called over REST, and its query parameter arrives as a number", async () => {
    expect(await gateway.call("GET", "/api/maps/count")).toMatchObject({ status: 200, body: { maps: 1 } });
    expect(await gateway.call("GET", "/api/maps/count?min_pages=1000")).toMatchObject({ body: { maps: 0 } });
    expect(await gateway.call("GET", "/api/maps/count?min_pages=many")).toMatchObject({
      status: 422,
      body: { error: { code: "request.invalid" } },
    });
  });

  test("can be called over MCP, and is listed with its tool set", async () => {
    const { call, client } = await connectTo(gateway);
    expect(JSON.parse(textOf(await call("count_maps")))).toEqual({ maps: 1 });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("count_maps");
    const { toolList } = await import(join(page.folder, "gateway/mcp/mcp-tool-list.ts"));
    const { tools } = await import(join(page.folder, "gateway/tools/index.ts"));
    expect(toolList(tools, ["knowledge"])).toContainEqual(
      expect.objectContaining({
        name: "count_maps",
        description:
          "Count the maps that Cairn holds. To see whether anything was explored; list_knowledge names the maps.",
      }),
    );
  });

  test("can be called by POST /mcp/tools/call", async () => {
    const call = { tool: "count_maps", arguments: { min_pages: 1 } };
    expect(await gateway.call("POST", "/mcp/tools/call", call)).toMatchObject({
      status: 200,
      body: { maps: 1 },
    });
  });

  test("can be called over a WebSocket", async () => {
    gateway.app.listen({ hostname: "127.0.0.1", port: 0 });
    const socket = new WebSocket(`ws://127.0.0.1:${gateway.app.server?.port}/ws/tools`);
    const answer = new Promise((resolve) => {
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "hello") {
          socket.send(JSON.stringify({ id: 1, tool: "count_maps", arguments: { min_pages: 1 } }));
        } else resolve(message);
      };
    });
    expect(await answer).toEqual({ type: "result", id: 1, result: { maps: 1 } });
    socket.close();
    await gateway.app.server?.stop(true);
  });

  test("is described in the OpenAPI document", async () => {
    const { body } = await gateway.call("GET", "/openapi.json");
    expect(body.paths["/api/maps/count"].get).toMatchObject({
      operationId: "countMaps",
      parameters: [{ name: "min_pages", in: "query", schema: { type: "integer", minimum: 0 } }],
    });
  });
});
