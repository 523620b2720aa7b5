/**
 * Measures how often a screen is recognised: from changed snapshots of it, from a few of its texts, and from
 * its address.
 */
import type { Cairn } from "../../e2e/support/cairn-test-process.ts";
import type { RunningApp } from "../../sites/apps/fixture-app-server.ts";
import type { MapInstance } from "./bench-explored-map.ts";
import { labelOf } from "./label-of-explored-screen.ts";
import { mutatedSummary } from "./mutate-page-summaries-for-bench.ts";

export interface Recognised {
  readonly screens: number;
  readonly asked: number;
  /** Number of times that the map has recognised the screen from the complete summary of its changed page. */
  readonly whole: number;
  /**
   * Number of times that the map has recognised the screen from the title, the headings and the names of the
   * elements alone.
   */
  readonly names: number;
  /** Number of times that the map has recognised the screen from the address alone. */
  readonly address: number;
  readonly wrong: readonly string[];
}

export const MUTATIONS = 20;
const SESSION = "viewer";

export async function recogniseMutated(
  cairn: Cairn,
  app: RunningApp,
  knowledgeId: string,
  found: readonly MapInstance[],
): Promise<Recognised> {
  const room = `${knowledgeId}-viewer`;
  await cairn.call("start_browser_session", {
    room_name: room,
    initial_url: app.enter(SESSION, { user: "ada" }),
  });
  const ask = async (body: Readonly<Record<string, unknown>>) =>
    (await cairn.post(`/api/knowledge/${knowledgeId}/query`, body)).body;
  const wrong = new Set<string>();
  let [screens, asked, whole, names, address] = [0, 0, 0, 0, 0];
  const seen = new Set<string>();
  for (const one of found) {
    const label = labelOf(app.truth, one);
    if (label === undefined || seen.has(one.screen)) continue;
    seen.add(one.screen);
    await ask({
      instruction_type: "navigate_to_screen",
      target: one.screen,
      execute: true,
      context: { room_name: room },
    });
    if (app.stateOf(SESSION)?.screen !== label) {
      wrong.add(`${one.name}: not reached`);
      continue;
    }
    screens += 1;
    const { body: content } = await cairn.call("get_screen_content", { room_name: room });
    const { body: page } = await cairn.call("analyze_page", { room_name: room });
    const url: string = content.url ?? content.current_url;
    const recognised = async (dom_summary: string | undefined, kind: string) => {
      const context = { current_url: url, ...(dom_summary === undefined ? {} : { dom_summary }) };
      const body = await ask({ instruction_type: "find_screen", target: "", context });
      const right = body.expected_result?.screen_id === one.screen;
      if (!right) wrong.add(`${one.name} from ${kind}: ${body.metadata?.screen_name ?? body.error}`);
      return right;
    };
    for (let seed = 1; seed <= MUTATIONS; seed++) {
      asked += 1;
      const changed = mutatedSummary(content.dom_summary, seed);
      if (await recognised(changed, "the whole summary")) whole += 1;
      if (await recognised(namesOf(changed, page, content.title ?? ""), "names")) names += 1;
    }
    if (await recognised(undefined, "the address")) address += MUTATIONS;
  }
  await cairn.call("close_browser_session", { room_name: room });
  return { screens, asked, whole, names, address, wrong: [...wrong] };
}

/**
 * Returns the names in a summary of a page: its title, its headings, and the names of the page's elements.
 */
function namesOf(
  summary: string,
  page: {
    readonly data?: {
      readonly highlightedElements?: readonly {
        ariaLabel?: string;
        textContent?: string;
        labelText?: string;
      }[];
    };
  },
  title: string,
): string {
  const headings = summary.split("\n").filter((line) => /^#{1,6} /.test(line));
  const elements = page.data?.highlightedElements ?? [];
  const actions = elements.map(
    ({ ariaLabel, textContent, labelText }) => ariaLabel ?? textContent ?? labelText ?? "",
  );
  return [title, ...headings, ...actions].join("\n");
}
