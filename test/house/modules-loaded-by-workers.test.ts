/**
 * Checks which modules every worker thread loads. Each module costs memory and start time in every thread.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { kinds } from "../../machines/actor-kinds.ts";

const ROOT = join(import.meta.dirname, "../..");

test("a worker thread does not load zod, because the main thread validates input", async () => {
  const { metafile } = await Bun.build({
    entrypoints: [
      "worker-entry.ts",
      ...Object.keys(kinds).map((kind) => `${kind}/${kind}-actor-kind.ts`),
    ].map((file) => join(ROOT, "actors", file)),
    target: "bun",
    packages: "external",
    metafile: true,
  });
  // Only static imports are followed. A module that is imported dynamically is loaded only by workers that
  // need it.
  const inputs = metafile?.inputs ?? {};
  const entries = Object.keys(inputs).filter((file) =>
    /actors\/(worker-entry|\w+\/\w+-actor-kind)\.ts$/.test(file),
  );
  const imports: string[] = [];
  const reached = new Set(entries);
  for (const file of reached) {
    for (const { path, kind } of inputs[file]?.imports ?? []) {
      if (kind !== "import-statement") continue;
      imports.push(`${file} imports ${path}`);
      reached.add(path);
    }
  }
  expect(imports.some((one) => one.endsWith("actors/exploration/crawl/crawl.ts"))).toBe(true);
  expect(imports.filter((one) => /\bimports zod(\/|$)/.test(one))).toEqual([]);
});
