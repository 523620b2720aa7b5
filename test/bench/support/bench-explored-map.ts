/**
 * A map that a real Cairn makes of a site, with the screen of each of its instances. An instance is a page,
 * or a state of a page.
 */
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import type { Cairn } from "../../e2e/support/cairn-test-process.ts";

export interface MapInstance {
  readonly instance: string;
  readonly screen: string;
  readonly url: string;
  readonly name: string;
  /**
   * Short names of the controls whose presses lead from the page to this state. Empty for the page itself.
   */
  readonly presses: readonly string[];
}

/**
 * All pages count as grouped into screens when this number of consecutive reads of the map return the same
 * screens.
 */
const SETTLED = 3;
const BETWEEN = 200;
const TWO_MINUTES = 120_000;

/**
 * Explores a site into a new map, and waits until its screens are grouped.
 *
 * @param onStatus is called with each status of the exploration
 */
export async function exploredMap(
  cairn: Cairn,
  knowledgeId: string,
  request: Readonly<Record<string, unknown>>,
  onStatus: (status: ExplorationStatus) => void = () => {},
): Promise<readonly MapInstance[]> {
  const job = `${knowledgeId}-job`;
  const { body } = await cairn.call("start_knowledge_exploration", {
    knowledge_id: knowledgeId,
    job_id: job,
    ...request,
  });
  if (body.job_id !== job) throw new Error(`not started: ${JSON.stringify(body)}`);
  for (const end = Date.now() + 10 * TWO_MINUTES; ; ) {
    const status = (await cairn.get(`/api/knowledge/explore/status/${job}`)).body;
    onStatus(status);
    if (["completed", "failed", "cancelled"].includes(status.status)) {
      if (status.status !== "completed") throw new Error(`ended as ${JSON.stringify(status)}`);
      break;
    }
    if (Date.now() > end) throw new Error("the exploration takes too long");
    await Bun.sleep(BETWEEN);
  }
  await settled(cairn, knowledgeId);
  return await instancesOf(cairn, knowledgeId);
}

async function settled(cairn: Cairn, knowledgeId: string): Promise<void> {
  // The grouping of pages into screens may start late on a slow machine. So a list of screens that stays the
  // same for a while does not mean that the grouping has ended.
  for (const end = Date.now() + TWO_MINUTES; ; await Bun.sleep(BETWEEN)) {
    const { body } = await cairn.get(`/api/knowledge/${knowledgeId}`);
    if (body.building === false) break;
    if (Date.now() > end) throw new Error(`still building: ${JSON.stringify(body)}`);
  }
  for (let same = 0, before = ""; same < SETTLED; await Bun.sleep(BETWEEN)) {
    const { body } = await cairn.get(`/api/knowledge/${knowledgeId}/screens`);
    const now = JSON.stringify(body);
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

async function instancesOf(cairn: Cairn, knowledgeId: string): Promise<readonly MapInstance[]> {
  const { body: map } = await cairn.get(`/api/knowledge/${knowledgeId}/export`);
  const instances: MapInstance[] = [];
  for (const { screen_id: instance, url, name, content_type } of map.screens) {
    // The map also contains documents, such as plain texts, which are not screens.
    if (content_type !== "web_ui") continue;
    const { body } = await cairn.post(`/api/knowledge/${knowledgeId}/query`, {
      instruction_type: "get_screen_context",
      target: instance,
      context: {},
    });
    const screen = body.expected_result?.screen_id;
    if (typeof screen !== "string") throw new Error(`no screen of ${instance}: ${JSON.stringify(body)}`);
    instances.push({ instance, screen, url, name, presses: instance.split("~").slice(1) });
  }
  return instances;
}
