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
  // Dynamic imports load only in a worker that needs them.
  const imports = Object.entries(metafile?.inputs ?? {}).flatMap(([file, { imports: from }]) =>
    from.filter(({ kind }) => kind === "import-statement").map(({ path }) => `${file} imports ${path}`),
  );
  expect(imports.some((one) => one.endsWith("actors/exploration/crawl/crawl.ts"))).toBe(true);
  expect(imports.filter((one) => /\bimports zod(\/|$)/.test(one))).toEqual([]);
});
