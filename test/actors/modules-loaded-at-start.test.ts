/**
 * Tests which packages and folders a node loads when it starts. Code that many nodes never use is loaded on
 * first use, because each worker thread needs memory of its own for it.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/** Imports modules in a new process. Returns the paths of all files that were loaded, relative to `ROOT`. */
async function loadedBy(code: string): Promise<readonly string[]> {
  const script = `${code}; console.log(JSON.stringify(Object.keys(require.cache)));`;
  const run = Bun.spawn([process.execPath, "-e", script], { cwd: ROOT, stdout: "pipe", stderr: "inherit" });
  const paths: readonly string[] = JSON.parse(await new Response(run.stdout).text());
  return paths.map((path) => path.replace(/^.*\/node_modules\//, "node_modules/").replace(`${ROOT}/`, ""));
}

/** Returns the given packages and folders of which at least one file was loaded. */
function among(loaded: readonly string[], places: readonly string[]): readonly string[] {
  return places.filter((place) => loaded.some((path) => path.startsWith(place)));
}

describe("when a node starts", () => {
  test("its main thread loads no parser, bundler, Markdown renderer, MCP library, code of pages or client of an optional service", async () => {
    const loaded = await loadedBy(
      `await import("./gateway/commands/serve-command.ts"); await import("./actors/index.ts")`,
    );
    expect(among(loaded, ["actors/cairn-node.ts", "node_modules/elysia/"])).toHaveLength(2);
    const later = [
      "node_modules/esbuild/",
      "node_modules/marked/",
      "node_modules/@modelcontextprotocol/",
      "node_modules/htmlparser2/",
      "node_modules/entities/",
      "node_modules/unpdf/",
      "node_modules/elkjs/",
      "node_modules/livekit-",
      "node_modules/@livekit/",
      "node_modules/openai/",
      "node_modules/@google/",
      "node_modules/bullmq/",
      "node_modules/ioredis/",
      "actors/browser/session/tabs/",
      "actors/reading/content/",
    ];
    expect(among(loaded, later)).toEqual([]);
  });

  test("a worker loads neither the planner of tasks, nor the code of maps, crawls and pages", async () => {
    const loaded = await loadedBy(
      `const { loadKinds } = await import("./actors/load-actor-kinds.ts"); await loadKinds();
       await import("./actors/browser/index.ts")`,
    );
    expect(
      among(loaded, ["actors/session/session-actor-kind.ts", "actors/browser/worker-browser.ts"]),
    ).toHaveLength(2);
    const later = [
      "node_modules/esbuild/",
      "node_modules/zod/",
      "machines/dialogue/dialogue-machine.ts",
      "machines/dialogue/words/translated-words.ts",
      "actors/dialogue/",
      "actors/exploration/",
      "actors/navigation/",
      "actors/walk/",
      "machines/knowledge/knowledge-machine.ts",
      "actors/browser/session/tabs/",
      "actors/browser/session/snapshot/",
    ];
    expect(among(loaded, later)).toEqual([]);
  });
});

test("the list of commands that `cairn --help` prints loads no command", async () => {
  const loaded = await loadedBy(
    `const { runCommandLine } = await import("./gateway/cli.ts");
     await runCommandLine(["--help"], {}, { out() {} })`,
  );
  expect(loaded).toContain("gateway/cli.ts");
  expect(among(loaded, ["gateway/commands/serve-command.ts", "gateway/tools/", "node_modules/zod/"])).toEqual(
    [],
  );
});
