/**
 * Tests explorations of an application with controls that change data, which an exploration must not press.
 * The application runs once without a sign-in, and once with a sign-in that expires.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  type TrapApplication,
  type TrapOptions,
  trapApplication,
  trapTransitions,
} from "../../sites/dangerous-controls-test-app.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { endOf } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);

const sites: TrapApplication[] = [];

const cairn = await cairnOfTests();

beforeAll(async () => {
  expect((await cairn.put("/api/secrets/ENGINE", { value: "engine" })).status).toBe(200);
});
afterAll(async () => {
  for (const site of sites) await site.stop();
});

const login = (site: TrapApplication) => ({
  url: site.url("/login"),
  fields: [
    { label: "User", value: "ada" },
    { label: "Password", secret: "ENGINE" },
  ],
  success: { text: "Log out" },
});

interface Explored {
  readonly site: TrapApplication;
  // biome-ignore lint/suspicious/noExplicitAny: what the server answers
  readonly status: any;
  readonly transitions: ReadonlySet<string>;
}

async function explore(name: string, options: TrapOptions = {}): Promise<Explored> {
  const site = trapApplication(options);
  sites.push(site);
  const { body: started } = await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    mode: "auto",
    knowledge_id: name,
    job_id: name,
    max_actions: 1_000,
    ...(options.signIn ? { login: login(site) } : {}),
  });
  expect(started.error).toBeUndefined();
  const status = await endOf(cairn, name);
  return { site, status, transitions: await transitionsOf(name) };
}

/**
 * Returns the transitions of a map, each as `from | to` with the names of the screens. The map stores
 * transitions with a delay, so they are read until two answers are equal.
 */
async function transitionsOf(map: string): Promise<ReadonlySet<string>> {
  for (let before = ""; ; ) {
    const { body } = await cairn.get(`/api/knowledge/${map}/export`);
    const names = new Map<string, string>(
      body.screens.map(({ screen_id, name }: { screen_id: string; name: string }) => [screen_id, name]),
    );
    // The names of the two screens identify a transition, because a map has at most one transition from one
    // screen to another.
    const found: string[] = body.transitions.map(
      ({ from, to }: { from: string; to: string }) => `${names.get(from)} | ${names.get(to)}`,
    );
    const now = found.sort().join("\n");
    if (now === before) return new Set(found);
    before = now;
    await Bun.sleep(200);
  }
}

const wanted = [...new Set(trapTransitions.map(([from, , to]) => `${from} | ${to}`))];
const missing = (found: ReadonlySet<string>) => wanted.filter((step) => !found.has(step));

test.skipIf(!isFull)(
  "an exploration that presses controls finds all harmless transitions of an application, and changes no data",
  async () => {
    const { site, status, transitions } = await explore("traps");
    expect(status).toMatchObject({
      status: "completed",
      error: null,
      interactive: { stopped_by: "nothing_left" },
    });
    expect(site.forbidden).toEqual([]);
    expect(status.interactive.held).toBeGreaterThan(0);
    expect(status.interactive.unsafe).toBeGreaterThan(5);
    expect(missing(transitions)).toEqual([]);
  },
);

test.skipIf(!isFull)(
  "an exploration finds the same transitions if its sign-in expires twice, and never signs out",
  async () => {
    const { site, status, transitions } = await explore("members", { signIn: true, expireAt: [6, 15] });
    expect(status).toMatchObject({
      status: "completed",
      error: null,
      interactive: { stopped_by: "nothing_left" },
    });
    expect(site.forbidden).toEqual([]);
    expect(site.signIns()).toBeGreaterThanOrEqual(3);
    expect(missing(transitions)).toEqual([]);
  },
);

test.if(isFull)("an exploration ends with a reason if its sign-in fails", async () => {
  const site = trapApplication({ signIn: true });
  sites.push(site);
  const { fields, ...recipe } = login(site);
  await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    mode: "auto",
    knowledge_id: "strangers",
    job_id: "strangers",
    login: { ...recipe, fields: [fields[0], { label: "Password", value: "wrong" }] },
  });
  const body = await endOf(cairn, "strangers");
  expect(body.status).toBe("failed");
  expect(body.error).toMatchObject({ code: "exploration.login_failed" });
});
