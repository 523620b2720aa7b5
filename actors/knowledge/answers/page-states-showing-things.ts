/**
 * Finds the states of a map, such as a drawer or a tab, that show the objects of a kind: the control
 * "Connections" opens a list of connections. These states have no address of their own, so a task reaches
 * them by pressing the same controls.
 */

import { openUrl } from "../../../machines/knowledge/formats/map-actions-to-browser-actions.ts";
import type { AtlasScreen } from "../../../machines/knowledge/in-memory-map.ts";
import type { AgentResponse, BrowserUseAction } from "../../../machines/knowledge/knowledge-protocol.ts";
import {
  addressWords,
  operationOfName,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import {
  pageOfState,
  pressesOfStateName,
  stateOfId,
} from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { endsWithKind } from "../../../machines/knowledge/tasks/control-that-removes-object.ts";
import type { AgentRequest } from "./agent-answer-builders.ts";
import { OPENED_BY_ADDRESS, routeBetween } from "./find-map-route-for-agent.ts";

/** A state of a page, such as a drawer, that shows the objects of a kind, and the way to it. */
export interface StateOfKind {
  readonly name: string;
  /** The address of the page on which the controls are pressed. */
  readonly url: string;
  /** Names of the controls that are pressed one after another. */
  readonly presses: readonly string[];
  /** Actions that open the page, and then press the controls. */
  readonly actions: readonly BrowserUseAction[];
}

/** Maximum number of page states, such as drawers, that one task may open. */
const MOST_STATES = 3;

/**
 * Returns the states that show the objects of a kind, those with the fewest presses first.
 * @param kinds stems of the words that name the kind of object, such as "connection"
 */
export async function statesAboutKind(
  asked: AgentRequest,
  kinds: readonly string[],
): Promise<readonly StateOfKind[]> {
  if (kinds.length === 0) return [];
  const { atlas, context } = asked;
  const here = pathOf(context.current_url);
  const states = [...atlas.screens()]
    .flatMap((screen) => {
      const presses = stateOfId(screen.screen_id) === undefined ? [] : pressesOfStateName(screen.name);
      const last = presses.at(-1) ?? "";
      // A state on the page of one object, such as the members of project 7, only shows what belongs to this
      // object. It is left out, unless the agent is on this page.
      const isOfObject = addressWords(screen.url).isObject && pathOf(screen.url) !== here;
      const isFitting = operationOfName(last) === undefined && endsWithKind(last, { kinds });
      return isFitting && !isOfObject ? [{ screen, presses }] : [];
    })
    .sort(
      (a, b) => a.presses.length - b.presses.length || (a.screen.screen_id < b.screen.screen_id ? -1 : 1),
    );
  const found: StateOfKind[] = [];
  for (const { screen, presses } of states) {
    if (found.length >= MOST_STATES) break;
    const actions = await wayToState(asked, screen);
    if (actions) found.push({ name: screen.name, url: screen.url, presses, actions });
  }
  return found;
}

/**
 * Returns the actions that open the page of a state and press the controls that lead to the state; `undefined` if the
 * map has no such way.
 */
async function wayToState(
  asked: AgentRequest,
  screen: AtlasScreen,
): Promise<readonly BrowserUseAction[] | undefined> {
  const page = asked.atlas.get(pageOfState(screen.screen_id));
  if (!page) return undefined;
  const goal = { screen, by: "screen_id", confidence: 1, others: [] } as const;
  const presses = await routeBetween(asked, page.screen_id, goal);
  const isPressed = presses?.actions.every(({ tool_name }) => tool_name === "click");
  return isPressed && presses
    ? [openUrl(page.url, page.name, OPENED_BY_ADDRESS), ...presses.actions]
    : undefined;
}

const pathOf = (url = ""): string => {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}${parsed.hash}` : url;
};

/** Returns the states in the answer of a map. The cast is safe: `executeTask` wrote them. */
export const statesOf = ({ metadata }: AgentResponse): readonly StateOfKind[] =>
  (metadata.states ?? []) as readonly StateOfKind[];
