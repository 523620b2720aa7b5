/**
 * The modules that every worker thread loads: each costs memory and start time once per thread.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { kinds } from "../../machines/kinds.ts";

const ROOT = join(import.meta.dirname, "../..");

test("a worker loads no zod, because the main thread validates input", async () => {
  const { metafile } = await Bun.build({
    entrypoints: ["worker.ts", ...Object.keys(kinds).map((kind) => `${kind}/kind.ts`)].map((file) =>
      join(ROOT, "actors", file),
    ),
    target: "bun",
    packages: "external",
    metafile: true,
  });
  // Dynamic imports load only in a worker that needs them, so only static imports are followed.
  const inputs = metafile?.inputs ?? {};
  const entries = Object.keys(inputs).filter((file) => /actors\/(worker|\w+\/kind)\.ts$/.test(file));
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
