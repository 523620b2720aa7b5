/** `gateway/openapi.yaml`: the document that clients are made from. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { OPENAPI_FILE, openApiDocument, openApiYaml } from "../openapi.ts";

const LINT = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");

test("gateway/openapi.yaml says what GET /openapi.json answers; `npm run openapi` writes it anew", async () => {
  const written = await Bun.file(OPENAPI_FILE).text();
  expect(Bun.YAML.parse(written)).toEqual(await openApiDocument());
  // As it would be written now: nothing is added by hand.
  expect(written === (await openApiYaml())).toBeTrue();
});

test("Redocly's linter has nothing to say against it, not even a warning", async () => {
  const lint = Bun.spawn([process.execPath, LINT, "lint", "--format=json", OPENAPI_FILE], {
    env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [told, wrong, code] = await Promise.all([
    new Response(lint.stdout).text(),
    new Response(lint.stderr).text(),
    lint.exited,
  ]);
  expect(code === 0 ? "" : wrong).toBe("");
  const { totals, problems } = JSON.parse(told);
  expect(problems).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
});
