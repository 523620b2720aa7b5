import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pageScripts } from "../../../actors/browser/page-script/page-script-bundle.ts";

const FOLDER = fileURLToPath(new URL("../../../actors/browser/page-script/", import.meta.url));
/**
 * Modules of the page script (the code that runs inside pages) that have no state. Several bundles may
 * contain a copy of them.
 */
const STATELESS = [
  "confirm-and-cancel-labels.ts",
  "page-script-document-state.ts",
  "page-script-event-names.ts",
  "shadow-dom.ts",
  "page-script-global.ts",
  "widgets/proxy-controls-of-hidden-fields.ts",
  "../../../machines/inspection/names-of-secret-fields.ts",
  "../../../machines/session/state/passwords-in-addresses.ts",
];

async function modulesOf(entry: string): Promise<readonly string[]> {
  const options = { absWorkingDir: FOLDER, bundle: true, write: false, metafile: true } as const;
  const { metafile } = await build({ ...options, entryPoints: [entry] });
  return Object.keys(metafile.inputs);
}

test("each stateful module of the page script (the code that runs inside pages) is in only one of its bundles", async () => {
  const entries = [
    "entry-of-document-start-bundle.ts",
    "entry-of-isolated-world-bundle.ts",
    "entry-of-actions-bundle.ts",
  ];
  const modules = (await Promise.all(entries.map(modulesOf))).flat();
  const shared = new Set(modules.filter((module, at) => modules.indexOf(module) !== at));
  expect([...shared].filter((module) => !STATELESS.includes(module)).sort()).toEqual([]);
});

test("the page script (the code that runs inside pages) is bundled once per process, and its first bundle is small", async () => {
  const [scripts, again] = await Promise.all([pageScripts(), pageScripts()]);
  expect(scripts).toBe(again);
  expect(scripts.first.length).toBeLessThan(5_500);
  expect(scripts.marks.length).toBeLessThan(5_500);
});
