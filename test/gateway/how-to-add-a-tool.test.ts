/**
 * Follows the guide's page `how-to-add-a-tool.md` on a copy of the sources, and calls the tool that the page adds.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connectTo } from "./mcp/mcp-client.ts";
import type { TestGateway } from "./test-gateway.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGE = join(ROOT, "gateway/docs/guide/how-to-add-a-tool.md");
/** Everything that the gateway in memory imports, except the actors. */
const SOURCES = ["gateway", "machines", "test/gateway", "package.json"];

interface CodeBlock {
  readonly kind: "ts" | "diff";
  readonly file: string;
  readonly code: string;
}

function codeBlocks(page: string): readonly CodeBlock[] {
  return [...page.matchAll(/^```(ts|diff) file=(\S+)\n(.*?)^```$/gms)].map(
    ([, kind = "", file = "", code = ""]) => ({ kind: kind === "diff" ? "diff" : "ts", file, code }),
  );
}

/** Applies a diff. Its lines without `+` must be consecutive lines of the text. */
function applyDiff(text: string, diff: string): string {
  const lines = diff.trimEnd().split("\n");
  const joined = (kept: readonly string[]) => kept.map((line) => `${line.slice(1)}\n`).join("");
  const before = joined(lines.filter((line) => !line.startsWith("+")));
  expect(text).toContain(before);
  return text.replace(before, joined(lines));
}

let folder: string;
let blocks: readonly CodeBlock[];
let gateway: TestGateway;

beforeAll(async () => {
  blocks = codeBlocks(await readFile(PAGE, "utf8"));
  // Inside the project, where packages are found.
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".cache/how-to-"));
  for (const source of SOURCES) await cp(join(ROOT, source), join(folder, source), { recursive: true });
  // The gateway in memory reads the actors' statecharts only.
  await symlink(join(ROOT, "actors"), join(folder, "actors"));
  for (const { kind, file, code } of blocks) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, kind === "ts" ? code : applyDiff(await readFile(path, "utf8"), code));
  }
  const { testGateway } = await import(join(folder, "test/gateway/test-gateway.ts"));
  gateway = testGateway();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the tool of the how-to", () => {
  test("needs three files", () => {
    expect(new Set(blocks.map(({ file }) => file)).size).toBe(3);
  });

  test("is called over REST, with its query parameter as a number", async () => {
    expect(await gateway.call("GET", "/api/maps/count")).toMatchObject({ status: 200, body: { maps: 1 } });
    expect(await gateway.call("GET", "/api/maps/count?min_pages=1000")).toMatchObject({ body: { maps: 0 } });
    expect(await gateway.call("GET", "/api/maps/count?min_pages=many")).toMatchObject({
      status: 422,
      body: { error: { code: "request.invalid" } },
    });
  });

  test("is called over MCP, and listed with its set", async () => {
    const { call, client } = await connectTo(gateway);
    expect(await call("count_maps")).toMatchObject({ structuredContent: { maps: 1 } });
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("count_maps");
    const { toolList } = await import(join(folder, "gateway/mcp/tool-list.ts"));
    const { tools } = await import(join(folder, "gateway/tools/index.ts"));
    expect(toolList(tools, ["knowledge"])).toContainEqual(
      expect.objectContaining({
        name: "count_maps",
        description:
          "Count the maps that Cairn holds. To see whether anything was explored; list_knowledge names the maps.",
      }),
    );
  });

  test("is called by POST /mcp/tools/call", async () => {
    const call = { tool: "count_maps", arguments: { min_pages: 1 } };
    expect(await gateway.call("POST", "/mcp/tools/call", call)).toMatchObject({
      status: 200,
      body: { maps: 1 },
    });
  });

  test("is described by the OpenAPI document", async () => {
    const { body } = await gateway.call("GET", "/openapi.json");
    expect(body.paths["/api/maps/count"].get).toMatchObject({
      operationId: "countMaps",
      parameters: [{ name: "min_pages", in: "query", schema: { type: "integer", minimum: 0 } }],
    });
  });
});
