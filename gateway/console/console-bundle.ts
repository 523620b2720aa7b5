/**
 * Bundles the web console from its TypeScript sources, once per process, when the console's script is first
 * requested. `buildSync` runs esbuild in a separate process, so the build of the page scripts can run at the
 * same time.
 */
import { fileURLToPath } from "node:url";
import type * as Esbuild from "esbuild";
import { Defect } from "../../machines/errors.ts";

let bundled: string | undefined;

export async function consoleBundle(): Promise<string> {
  // esbuild is loaded only here, because many nodes never show their console.
  const { buildSync } = await import("esbuild");
  bundled ??= bundle(buildSync);
  return bundled;
}

function bundle(buildSync: typeof Esbuild.buildSync): string {
  const { outputFiles } = buildSync({
    absWorkingDir: fileURLToPath(new URL("./app/", import.meta.url)),
    entryPoints: ["entry-of-console-bundle.tsx"],
    write: false,
    bundle: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  });
  const [script] = outputFiles;
  if (!script) throw new Defect("console.not_bundled", "The console's script was not bundled.");
  return script.text;
}
