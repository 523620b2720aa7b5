/** The generated documents: `gateway/openapi.yaml`, from which clients are generated, and the page of tools. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { toolReference } from "../../gateway/docs/tool-reference.ts";
import { tools } from "../../gateway/tools/index.ts";
import { OPENAPI_FILE, openApiDocument, openApiYaml, TOOLS_PAGE } from "../openapi.ts";

const LINT = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");

test("gateway/openapi.yaml is GET /openapi.json as `npm run openapi` writes it", async () => {
  const written = await Bun.file(OPENAPI_FILE).text();
  expect(Bun.YAML.parse(written)).toEqual(await openApiDocument());
  // Byte for byte: the file was not edited by hand.
  expect(written === (await openApiYaml())).toBeTrue();
});

test("gateway/docs/guide/tools.md is the page that `npm run openapi` writes", async () => {
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
