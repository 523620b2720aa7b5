/**
 * Tests that a session hibernates only after its latest state was saved. The browser is scripted, because
 * with a real one the tested orders of events would occur only once in thousands of runs.
 */
import { afterEach, expect, test } from "bun:test";
import type { BrowserSession } from "../../../actors/browser/index.ts";
import type { SessionStates } from "../../../actors/session/encrypted-session-states.ts";
import { Autosave } from "../../../actors/session/session-autosave-and-hibernation.ts";

interface Scene {
  readonly autosave: Autosave;
  /** The saved states in the order in which they were written. */
  readonly written: string[];
  /** The current state of the scripted page. */
  state: string;
  /** Function of the test that runs while `Autosave` writes a state. */
  duringWrite: () => Promise<void>;
  /** Number of notifications that the session's state machine has received. */
  notified: number;
  onNotify: () => Promise<void>;
}

let autosaves: Autosave[] = [];
afterEach(() => {
  for (const autosave of autosaves) autosave.end();
  autosaves = [];
});

function sceneOf(): Scene {
  const hibernated = new AbortController();
  const session = {
    idleSince: 1,
    save: async () => ({ session: { saved_at: Date.now(), cookies: [scene.state] }, holdReason: undefined }),
  };
  const states = {
    write: async (_: unknown, saved: { readonly cookies: readonly string[] }) => {
      const meanwhile = scene.duringWrite;
      scene.duringWrite = async () => {};
      await meanwhile();
      scene.written.push(String(saved.cookies[0]));
    },
  };
  const autosave = new Autosave(
    {
      ref: { room: "r", epoch: 1 },
      // The cast is safe: the object has all members that `Autosave` uses.
      session: session as unknown as BrowserSession,
      states: states as unknown as SessionStates,
      signal: hibernated.signal,
      notify: async () => {
        scene.notified += 1;
        await scene.onNotify();
        hibernated.abort();
      },
      changed: () => {},
      exceeded: () => {},
      log: () => {},
      idle: 60_000,
    },
    false,
  );
  autosaves.push(autosave);
  const scene: Scene = {
    autosave,
    written: [],
    state: "before",
    duringWrite: async () => {},
    notified: 0,
    onNotify: async () => {},
  };
  return scene;
}

test("an unused session is saved before it hibernates", async () => {
  const scene = sceneOf();
  expect(await scene.autosave.hibernate()).toBe(true);
  expect(scene.written).toEqual(["before"]);
});

test("a session does not hibernate if an action runs while it is saved, and the next save contains the action's result", async () => {
  const scene = sceneOf();
  scene.duringWrite = async () => {
    const done = await scene.autosave.begin();
    scene.state = "after";
    done();
  };
  expect(await scene.autosave.hibernate()).toBe(false);
  expect(scene.notified).toBe(0);
  expect(await scene.autosave.hibernate()).toBe(true);
  expect(scene.written.at(-1)).toBe("after");
});

test("a session does not hibernate while an action is running", async () => {
  const scene = sceneOf();
  const idleBefore = scene.autosave.idleSince;
  const done = await scene.autosave.begin();
  expect(scene.autosave.idleSince).toBeUndefined();
  expect(await scene.autosave.hibernate()).toBe(false);
  done();
  // The idle time starts again at the end of an action, because the session was in use until then.
  expect(scene.autosave.idleSince).toBeGreaterThan(idleBefore ?? Number.POSITIVE_INFINITY);
  expect(await scene.autosave.hibernate()).toBe(true);
});

test("an action that arrives while a session hibernates starts only after the session has reported its hibernation, even if the report fails", async () => {
  for (const failure of [undefined, new Error("the store is away")]) {
    const scene = sceneOf();
    const order: string[] = [];
    let begun: Promise<unknown> | undefined;
    scene.onNotify = async () => {
      begun = scene.autosave.begin().then(() => order.push("action"));
      await Bun.sleep(5);
      order.push("notified");
      if (failure) throw failure;
    };
    expect(await scene.autosave.hibernate()).toBe(failure === undefined);
    await begun;
    expect(order).toEqual(["notified", "action"]);
  }
});
