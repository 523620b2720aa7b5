/**
 * Walks between any two screens of a fixture application, by clicks in a real browser. The end of each walk
 * is compared with the state on the server.
 */
import type { Cairn } from "../../e2e/support/cairn-test-process.ts";
import type { RunningApp } from "../../sites/apps/fixture-app-server.ts";
import type { MapInstance } from "./bench-explored-map.ts";
import { labelOf } from "./label-of-explored-screen.ts";

export interface WalkedPairs {
  readonly pairs: number;
  /** Number of walks that ended on their target, as the application's server reports. */
  readonly arrived: number;
  /**
   * Average length of a walk relative to the shortest route, both in clicks. Only walks that consist of
   * clicks are counted. 1 means that no walk made a detour.
   */
  readonly stretch: number;
  /** Number of walks that opened an address, although their route consists only of clicks. */
  readonly byAddress: number;
  /**
   * True if the second walk took another way after a transition had failed on the first walk. Absent if no
   * transition was broken.
   */
  readonly avoided?: boolean;
  readonly wrong: readonly string[];
}

const SESSION = "walker";

export interface WalkOptions {
  /** Maximum number of walks, each between two screens. By default, there is no limit. */
  readonly most?: number;
  /**
   * Whether the application is disturbed: dialogs appear at random, controls change their places, and one
   * transition of the map no longer works.
   */
  readonly disturbed?: boolean;
}

export async function walkPairs(
  cairn: Cairn,
  app: RunningApp,
  knowledgeId: string,
  found: readonly MapInstance[],
  { most = Number.POSITIVE_INFINITY, disturbed = false }: WalkOptions = {},
): Promise<WalkedPairs> {
  const screens = new Map<string, string>();
  for (const one of found) {
    const label = labelOf(app.truth, one);
    if (label !== undefined && !screens.has(one.screen)) screens.set(one.screen, label);
  }
  const room = `${knowledgeId}-walker`;
  await cairn.call("start_browser_session", {
    room_name: room,
    initial_url: app.enter(SESSION, { user: "ada" }),
  });
  let avoided: boolean | undefined;
  if (disturbed) {
    const known = new Set(screens.values());
    const broken = app.truth
      .replaceable({ signedIn: true, risks: false })
      .find(({ from, to }) => known.has(from) && known.has(to));
    console.log(`  broken: ${broken ? `${broken.label} on ${broken.from}` : "nothing"}`);
    if (broken) {
      app.breakTransition(broken.from, broken.action);
      const walk = async (label: string) => {
        const target = [...screens].find(([, known]) => known === label)?.[0] ?? "";
        const body = await walkTo(cairn, knowledgeId, target, room);
        const steps: readonly { description: string; outcome: string }[] =
          body.metadata?.execution?.steps ?? [];
        const way = steps.map(({ description, outcome }) => `${description}: ${outcome}`).join(" · ");
        console.log(`  walk to ${label}: ${way}`);
        return app.stateOf(SESSION)?.screen === label && steps.every(({ outcome }) => outcome === "done");
      };
      await walk(broken.from);
      const first = await walk(broken.to);
      if (first) console.log("  the first walk did not use the broken transition");
      await walk(broken.from);
      avoided = await walk(broken.to);
    }
    app.disturb(SESSION);
  }
  const wrong: string[] = [];
  let [pairs, arrived, clicks, shortest, byAddress] = [0, 0, 0, 0, 0];
  for (const target of tour([...screens.keys()])) {
    if (pairs >= most) break;
    const from = app.stateOf(SESSION)?.screen ?? "";
    const to = screens.get(target) ?? "";
    const distance = app.truth.distance(from, to, { signedIn: true });
    if (from === to || distance === undefined) continue;
    pairs += 1;
    const began = performance.now();
    const body = await walkTo(cairn, knowledgeId, target, room);
    const steps: readonly { tool_name: string; description: string; outcome: string }[] =
      body.metadata?.execution?.steps ?? [];
    const end = app.stateOf(SESSION)?.screen ?? "";
    const opened = steps.some(({ tool_name }) => tool_name === "navigate");
    if (opened) byAddress += 1;
    const seconds = (performance.now() - began) / 1_000;
    const way = steps.map(({ description, outcome }) => `${description}: ${outcome}`).join(" · ");
    console.log(
      `  walk ${pairs}: ${from} → ${to}, ${steps.length} steps, ${seconds.toFixed(1)} s${end === to ? "" : `, ended on ${end}`}${opened ? `, by address: ${way}` : ""}`,
    );
    if (end === to && body.success) {
      arrived += 1;
      if (!opened) {
        clicks += steps.length;
        shortest += distance;
      }
    } else {
      wrong.push(`${from} → ${to}: ended on ${end} (${body.error ?? "no error"}; ${way})`);
    }
  }
  await cairn.call("close_browser_session", { room_name: room });
  const stretch = shortest === 0 ? 1 : clicks / shortest;
  return { pairs, arrived, stretch, byAddress, wrong, ...(avoided === undefined ? {} : { avoided }) };
}

/**
 * Walks to a screen. A walk may end because required fields have no values. It is then started again with the
 * example values from its answer.
 */
async function walkTo(cairn: Cairn, knowledgeId: string, target: string, room_name: string) {
  const parameters: Record<string, unknown> = {};
  for (let asked = 0; ; asked++) {
    const { body } = await cairn.post(`/api/knowledge/${knowledgeId}/query`, {
      instruction_type: "navigate_to_screen",
      target,
      execute: true,
      context: { room_name, parameters },
    });
    const { code, fields = [] } = body.metadata ?? {};
    if (code !== "walk.missing_parameters" || asked >= MOST_FORMS) return body;
    for (const { name, example, options = [] } of fields) parameters[name] = example ?? options.at(-1);
  }
}

/** Maximum number of times that one walk is started again because it needs values for required fields. */
const MOST_FORMS = 6;

/** Returns a closed route that walks from each screen to each other screen exactly once. */
function tour(ids: readonly string[]): readonly string[] {
  const left = new Map(ids.map((id) => [id, ids.filter((other) => other !== id)]));
  const stack = [ids[0] ?? ""];
  const order: string[] = [];
  while (stack.length > 0) {
    const next = left.get(stack.at(-1) ?? "")?.pop();
    if (next === undefined) order.push(stack.pop() ?? "");
    else stack.push(next);
  }
  return order.reverse();
}
