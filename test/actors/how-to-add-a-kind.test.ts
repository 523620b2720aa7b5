/**
 * Tests the guide's page `how-to-add-a-kind.md`: follows it on a copy of the sources, and sends commands to
 * an actor of the new kind.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { ActorSystem } from "../../actors/runtime/index.ts";
import type { KindProtocol } from "../../machines/actor-kind-protocol.ts";
import { type FollowedPage, followPage, ROOT } from "../support/apply-how-to-code-blocks.ts";
import { isFull } from "../test-run-tier-and-seed.ts";
import type { Stage } from "./runtime/support/real-runtime-with-simulated-clock.ts";

const SOURCES = ["actors", "machines", "store", "test/actors/runtime", "package.json", "tsconfig.json"];

let page: FollowedPage;
let stage: Stage;
let system: ActorSystem;

beforeAll(async () => {
  page = await followPage("how-to-add-a-kind.md", SOURCES);
  const load = (path: string) => import(join(page.folder, path));
  const { Stage: CopiedStage } = await load(
    "test/actors/runtime/support/real-runtime-with-simulated-clock.ts",
  );
  const { ActorSystem: CopiedSystem } = await load("actors/runtime/index.ts");
  const { loadKinds } = await load("actors/load-actor-kinds.ts");
  const { loadProtocols, validateCommand } = await load("actors/validate-command.ts");
  const protocols: ReadonlyMap<string, KindProtocol> = await loadProtocols();
  const made: Stage = new CopiedStage();
  stage = made;
  await stage.host("worker-1", { definitions: await loadKinds() });
  system = new CopiedSystem(
    made.bus,
    made.clock,
    "caller",
    (kind: string, command: { readonly type: string }) => validateCommand(protocols, kind, command),
  );
});

afterAll(async () => {
  stage.close();
  await page.remove();
});

const tea = { kind: "reminder", id: "tea" };

describe("the example kind of actors that the guide's page how-to-add-a-kind adds", () => {
  test("is added by three new files and one entry in the list of kinds", () => {
    expect([...page.files].sort()).toEqual([
      "actors/reminder/reminder-actor-kind.ts",
      "machines/actor-kinds.ts",
      "machines/reminder/reminder-machine.ts",
      "machines/reminder/reminder-protocol.ts",
    ]);
  });

  // This test belongs to the full tier, because type-checking the whole project takes half a minute.
  test.skipIf(!isFull)(
    "passes the type check",
    async () => {
      const project = {
        extends: "./tsconfig.json",
        include: ["actors/reminder", "machines/actor-kinds.ts"],
        exclude: [],
      };
      await Bun.write(join(page.folder, "tsconfig.kind.json"), JSON.stringify(project));
      const tsc = Bun.spawn(
        [
          process.execPath,
          join(ROOT, "node_modules/typescript-native/bin/tsc"),
          "--noEmit",
          "-p",
          "tsconfig.kind.json",
        ],
        { cwd: page.folder, stdout: "pipe" },
      );
      expect(await new Response(tsc.stdout).text()).toBe("");
    },
    180_000,
  );

  test("replies to its command, and answers its query before and after its timer", async () => {
    const set = system.ask(tea, { type: "SET", text: "Tea is ready", seconds: 240 });
    expect(await stage.outcome(set)).toEqual({ seconds: 240 });
    const status = () => stage.outcome(system.query(tea, "status", null));
    expect(await status()).toEqual({ text: "Tea is ready", rung: false });
    await stage.clock.advance(240_000);
    expect(await status()).toEqual({ text: "Tea is ready", rung: true });
  });

  test("refuses a command with wrong fields before it is sent", async () => {
    const set = async () => await system.ask(tea, { type: "SET", text: "", seconds: 240 });
    await expect(set()).rejects.toMatchObject({ code: "actor.bad_command" });
  });

  test("has its state chart in the console", async () => {
    const { ChartRegistry } = await import(join(page.folder, "actors/statecharts-for-console.ts"));
    expect(await new ChartRegistry().chart("reminder")).toMatchObject({ id: "reminder" });
  });
});
