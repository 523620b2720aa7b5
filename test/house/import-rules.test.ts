/** Tests the check of the import rules with files that break each rule. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { SUBFOLDERS, violationsIn } from "./import-rules.ts";
import { ROOT } from "./read-project-source-files.ts";

const dependencies = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));

function problems(path: string, code: string): readonly string[] {
  return violationsIn({ path, text: `/** What it is for. */\n${code}\n` }, dependencies);
}

describe("the check of the rules for imports", () => {
  test.each([
    [
      "machines/exploration/url.ts",
      'import { x } from "../../store/index.ts";',
      "machines import machines only",
    ],
    ["machines/exploration/url.ts", 'import { x } from "node:fs";', "no node: module"],
    ["machines/exploration/url.ts", "export const now = Date.now();", "the clock"],
    ["machines/exploration/url.ts", "export const now = new Date();", "the clock"],
    ["machines/exploration/url.ts", "export const n = Math.random();", "chance"],
    ["machines/exploration/url.ts", 'export const get = () => fetch("x");', "the world"],
    [
      "machines/dialogue/words/word-similarity.ts",
      'import { x } from "../plan/plan-schemas.ts";',
      "machines/dialogue/words imports nothing of plan",
    ],
    [
      "store/records/stored-pages.ts",
      'import { x } from "../../actors/index.ts";',
      "store imports machines and store only",
    ],
    [
      "actors/reading/content/extract-page-from-html.ts",
      'import { x } from "../../../store/index.ts";',
      "reading is a leaf",
    ],
    [
      "actors/reading/content/extract-page-from-html.ts",
      'import { x } from "../../knowledge/ingest/ingest-pages-and-documents.ts";',
      "reading is a leaf",
    ],
    [
      "actors/reading/content/extract-page-from-html.ts",
      'const answer = await fetch("x");',
      "the egress policy is asked",
    ],
    [
      "actors/browser/render/render-page.ts",
      'import { connect } from "node:net";',
      "the egress policy is asked",
    ],
    [
      "actors/runtime/core/actor-step.ts",
      'import { x } from "../../reading/page.ts";',
      "the runtime knows no kind",
    ],
    [
      "actors/runtime/core/actor-step.ts",
      'import { x } from "../../exploration/exploration-actor-kind.ts";',
      "the runtime knows no kind",
    ],
    [
      "actors/exploration/exploration-actor-kind.ts",
      'import { x } from "../knowledge/knowledge-actor-kind.ts";',
      "by messages only",
    ],
    [
      "actors/host/host-actor-kind.ts",
      'import { x } from "../janitor/janitor-actor-kind.ts";',
      "by messages only",
    ],
    [
      "actors/janitor/janitor-actor-kind.ts",
      'import { x } from "../session/session-actor-kind.ts";',
      "by messages only",
    ],
    [
      "actors/exploration/crawl/crawl.ts",
      'import { x } from "../../session/session-service.ts";',
      "by messages only",
    ],
    [
      "actors/exploration/exploration-actor-kind.ts",
      'import { x } from "../../gateway/http-application.ts";',
      "actors do not know gateway",
    ],
    ["gateway/http-application.ts", 'import { x } from "../store/index.ts";', "through actors/index.ts only"],
    [
      "gateway/http-application.ts",
      'export type { X } from "../actors/runtime/index.ts";',
      "through actors/index.ts only",
    ],
    [
      "gateway/http-application.ts",
      'const x = await import("../actors/cairn-node.ts");',
      "through actors/index.ts only",
    ],
    [
      "gateway/http-application.ts",
      'type X = import("../actors/cairn-node.ts").X;',
      "through actors/index.ts only",
    ],
    ["gateway/tools/map-tools.ts", 'import { x } from "../rest/health-routes.ts";', "import nothing of rest"],
    [
      "gateway/tools/map-tools.ts",
      'import type { X } from "../mcp/mcp-limits.ts";',
      "import nothing of rest",
    ],
    ["gateway/http-application.ts", 'import { x } from "surrealdb";', "surrealdb is imported in store/ only"],
    ["gateway/http-application.ts", 'import { x } from "left-pad";', "not among the dependencies"],
    ["gateway/http-application.ts", 'import { test } from "bun:test";', "bun:test belongs in"],
    ["gateway/http-application.ts", "export const v = Bun.version;", "the Bun global"],
    ["gateway/http-application.ts", 'import { x } from "./log";', "needs its extension"],
    ["gateway/http-application.ts", "export default 1;", "no default exports"],
    ["gateway/http-application.ts", "export default function app() {}", "no default exports"],
    ["gateway/utils.ts", "export const x = 1;", "named by its concept"],
  ])("reports a violation in %s: %j", (path, code, problem) => {
    const found = problems(path, code);
    expect(found.join("\n")).toContain(problem);
    expect(found[0]).toMatch(/^[\w/.-]+:\d+: /);
  });

  test("reports the line of the forbidden import", () => {
    expect(
      problems("gateway/http-application.ts", '\nimport { x } from "../store/index.ts";')[0],
    ).toStartWith("gateway/http-application.ts:3: ");
  });

  test("reports a file that does not start by saying what it is for", () => {
    expect(
      violationsIn({ path: "gateway/http-application.ts", text: "export const x = 1;\n" }, dependencies),
    ).toEqual(["gateway/http-application.ts:1: a file opens by saying what it is for"]);
  });

  test.each([
    ["gateway/http-application.ts", 'import { x } from "../actors/index.ts";'],
    ["gateway/tools/map-tools.ts", 'import { x } from "../actor-system-interface.ts";'],
    ["gateway/rest/tool-routes.ts", 'import { x } from "../tools/index.ts";'],
    ["gateway/main.ts", "export const v = Bun.version;"],
    ["gateway/http-application.ts", "const x = { Bun: 1 };\nexport const y = x.Bun; // Bun"],
    ["machines/dialogue/plan/plan-schemas.ts", 'import { x } from "../words/word-similarity.ts";'],
    ["machines/dialogue/plan/plan-schemas.ts", 'import { x } from "../dialogue-limits.ts";'],
    ["machines/dialogue/plan/plan-schemas.ts", 'import { x } from "./plan-confidence.ts";'],
    ["machines/dialogue/plan/plan-schemas.ts", 'import { x } from "../../knowledge/formats/map-diff.ts";'],
    ["machines/exploration/url.ts", "export const day = (at: number) => new Date(at);"],
    ["machines/exploration/url.ts", "export const fields = { fetch: 1 };"],
    [
      "actors/exploration/exploration-actor-kind.ts",
      'import { x } from "./reading/index.ts";\nimport { y } from "../store/index.ts";',
    ],
    [
      "actors/runtime/core/actor-step.ts",
      'import { x } from "../../../store/index.ts";\nimport { y } from "xstate";',
    ],
    ["test/e2e/a.test.ts", 'import { x } from "../../store/index.ts";\nimport { y } from "bun:test";'],
  ])("accepts the code in %s: %j", (path, code) => {
    expect(problems(path, code)).toEqual([]);
  });
});

test.each(Object.entries(SUBFOLDERS))("the import rules list every subfolder of %s", (folder, order) => {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(found.toSorted()).toEqual(order.toSorted());
});
