/**
 * What every worker thread loads: a module graph is paid for once a thread, in memory and at its start.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

test("a worker loads no zod: what comes from outside is looked at on the node's own thread", async () => {
  const { metafile } = await Bun.build({
    entrypoints: [join(ROOT, "actors/worker.ts")],
    target: "bun",
    packages: "external",
    metafile: true,
  });
  // Dynamic imports are for a worker that needs them.
  const imports = Object.entries(metafile?.inputs ?? {}).flatMap(([file, { imports: from }]) =>
    from.filter(({ kind }) => kind === "import-statement").map(({ path }) => `${file} imports ${path}`),
  );
  expect(imports.some((one) => one.endsWith("actors/exploration.ts"))).toBe(true);
  expect(imports.filter((one) => /\bimports zod(\/|$)/.test(one))).toEqual([]);
});
