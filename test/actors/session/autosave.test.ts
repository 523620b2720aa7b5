/**
 * A session rests only as it was saved: no act gets lost between the saving and the rest.
 *
 * The browser is a script here, because what is proven is an order of events that a real one has once in thousands.
 */
import { afterEach, expect, test } from "bun:test";
import type { BrowserSession } from "../../../actors/browser/index.ts";
import { Autosave } from "../../../actors/session/autosave.ts";
import type { SessionStates } from "../../../actors/session/saved-states.ts";

interface Scene {
  readonly keeper: Autosave;
  /** What the store holds, the newest last. */
  readonly written: string[];
  /** What the page holds. */
  state: string;
  /** What happens while a state is being written. */
  meanwhile: () => Promise<void>;
  /** How often the machine was told that it rests. */
  told: number;
  whenTold: () => Promise<void>;
}

let keepers: Autosave[] = [];
afterEach(() => {
  for (const keeper of keepers) keeper.end();
  keepers = [];
});

function sceneOf(): Scene {
  const rested = new AbortController();
  const session = {
    idleSince: 1,
    save: async () => ({ session: { saved_at: Date.now(), cookies: [scene.state] }, held: undefined }),
  };
  const states = {
    write: async (_: unknown, saved: { readonly cookies: readonly string[] }) => {
      const meanwhile = scene.meanwhile;
      scene.meanwhile = async () => {};
      await meanwhile();
      scene.written.push(String(saved.cookies[0]));
    },
  };
  const keeper = new Autosave(
    {
      ref: { room: "r", epoch: 1 },
      // Only what is used of them.
      session: session as unknown as BrowserSession,
      states: states as unknown as SessionStates,
      signal: rested.signal,
      notify: async () => {
        scene.told += 1;
        await scene.whenTold();
        rested.abort();
      },
      changed: () => {},
      exceeded: () => {},
      log: () => {},
      idle: 60_000,
    },
    false,
  );
  keepers.push(keeper);
  const scene: Scene = {
    keeper,
    written: [],
    state: "before",
    meanwhile: async () => {},
    told: 0,
    whenTold: async () => {},
  };
  return scene;
}

test("a session that nobody uses is saved, and then rests", async () => {
  const scene = sceneOf();
  expect(await scene.keeper.hibernate()).toBe(true);
  expect(scene.written).toEqual(["before"]);
});

test("an act that was done while it was saved keeps it awake; the next rest has it", async () => {
  const scene = sceneOf();
  scene.meanwhile = async () => {
    const done = await scene.keeper.begin();
    scene.state = "after";
    done();
  };
  expect(await scene.keeper.hibernate()).toBe(false);
  expect(scene.told).toBe(0);
  expect(await scene.keeper.hibernate()).toBe(true);
  expect(scene.written.at(-1)).toBe("after");
});

test("an act that has begun and is not done keeps it awake", async () => {
  const scene = sceneOf();
  const idle = scene.keeper.idleSince;
  const done = await scene.keeper.begin();
  expect(scene.keeper.idleSince).toBeUndefined();
  expect(await scene.keeper.hibernate()).toBe(false);
  done();
  // Whoever remembers since when it was idle when it refused sees that it was used since.
  expect(scene.keeper.idleSince).toBeGreaterThan(idle ?? Number.POSITIVE_INFINITY);
  expect(await scene.keeper.hibernate()).toBe(true);
});

test("an act that comes while the machine is told begins when that is over, also when telling failed", async () => {
  for (const failure of [undefined, new Error("the store is away")]) {
    const scene = sceneOf();
    const order: string[] = [];
    let begun: Promise<unknown> | undefined;
    scene.whenTold = async () => {
      begun = scene.keeper.begin().then(() => order.push("act"));
      await Bun.sleep(5);
      order.push("told");
      if (failure) throw failure;
    };
    expect(await scene.keeper.hibernate()).toBe(failure === undefined);
    await begun;
    expect(order).toEqual(["told", "act"]);
  }
});
