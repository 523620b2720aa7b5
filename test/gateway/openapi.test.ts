/**
 * Tests the generated documents: `gateway/openapi.yaml`, from which clients are generated, and the page of
 * the guide that lists all tools.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { toolReference } from "../../gateway/docs/write-guide-page-of-tools.ts";
import { resultExamples } from "../../gateway/rest/openapi-tool-result-examples.ts";
import { tools } from "../../gateway/tools/index.ts";
import { ToolRegistry } from "../../gateway/tools/tool-registry.ts";
import { OPENAPI_FILE, openApiDocument, openApiYaml, TOOLS_PAGE } from "../openapi.ts";
import { testGateway } from "./test-gateway.ts";

const LINT = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");

test("gateway/openapi.yaml equals GET /openapi.json in the form that `npm run openapi` writes", async () => {
  const written = await Bun.file(OPENAPI_FILE).text();
  expect(Bun.YAML.parse(written)).toEqual(await openApiDocument());
  // The file must equal the generated text in every byte. It must not be edited by hand.
  expect(written === (await openApiYaml())).toBeTrue();
});

test("gateway/docs/guide/tools.md equals the page that `npm run openapi` writes", async () => {
  expect((await Bun.file(TOOLS_PAGE).text()) === toolReference(tools)).toBeTrue();
});

test("gateway/openapi.yaml passes Redocly's linter without an error or a warning", async () => {
  const lint = Bun.spawn([process.execPath, LINT, "lint", "--format=json", OPENAPI_FILE], {
    env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [report, errors, code] = await Promise.all([
    new Response(lint.stdout).text(),
    new Response(lint.stderr).text(),
    lint.exited,
  ]);
  expect(code === 0 ? "" : errors).toBe("");
  const { totals, problems } = JSON.parse(report);
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});

test("the JSON Schemas of tools are generated when a client requests the document, and not at the start", async () => {
  const generated = new Set<string>();
  const watched = tools.all.map((tool) =>
    Object.create(tool, {
      inputSchema: { get: () => generated.add(tool.name) && tool.inputSchema },
      outputSchema: { get: () => generated.add(tool.name) && tool.outputSchema },
    }),
  );
  const gateway = testGateway({ registry: new ToolRegistry(watched) });
  await gateway.call("GET", "/health");
  expect([...generated]).toEqual([]);
  await gateway.call("GET", "/openapi.json");
  expect(generated.size).toBeGreaterThan(40);
});

interface Media {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
}

test("each result of a REST route has a schema name, and an example that the tool could return", async () => {
  const document = (await openApiDocument()) as {
    readonly paths: Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, Media> }> }>
    >;
    readonly components: { readonly schemas: Record<string, unknown> };
  };
  const answers = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => responses["200"]?.content?.["application/json"] ?? []);
  const named = answers.flatMap(({ schema: { $ref } }) => $ref ?? []);
  expect(named.length).toBeGreaterThan(40);
  for (const name of named)
    expect(document.components.schemas).toHaveProperty([name.split("/").at(-1) ?? ""]);
  expect(answers.filter(({ example }) => example !== undefined).length).toBeGreaterThanOrEqual(16);
});

test("operations in the OpenAPI document have short summaries and full descriptions", async () => {
  const { paths } = (await openApiDocument()) as {
    readonly paths: Record<string, Record<string, { summary: string; description?: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations.filter(({ summary }) => summary.length > 90)).toEqual([]);
  expect(paths["/api/knowledge/query"]?.post).toMatchObject({
    summary: "Query stored knowledge",
    description: expect.stringContaining("search {query, top_k}"),
  });
});

test.each(Object.entries(resultExamples))(
  "the OpenAPI example for %s matches the tool's schema",
  (name, example) => {
    const tool = tools.get(name);
    expect(tool.routes).not.toBeEmpty();
    const { error } = z.fromJSONSchema({ ...tool.outputSchema }).safeParse(example);
    expect(error?.issues ?? []).toEqual([]);
  },
);
