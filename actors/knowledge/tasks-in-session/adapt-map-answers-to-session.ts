/**
 * Adapts answers of a map to a live session. The address of the session is the position of the agent, and
 * elements on the session's page are named by their current index. Elements on later screens keep their
 * fingerprint, by which the session finds them.
 */
import { CairnError } from "../../../machines/errors.ts";
import type {
  AgentContext,
  AgentResponse,
  BrowserUseAction,
} from "../../../machines/knowledge/knowledge-protocol.ts";
import type { InstructionType } from "../../../machines/knowledge/map-instruction-types.ts";
import type { ActionOutcome } from "../../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../../machines/session/actions/browser-action-parameters.ts";
import type {
  Located,
  Locator,
  Locators,
} from "../../../machines/session/controls/find-element-by-locator.ts";
import type { AnalysisData, AnalyzeRequest } from "../../../machines/session/page/page-snapshot.ts";
import type {
  PageWithTexts,
  SessionPage,
} from "../../../machines/session/page/session-page-links-and-forms.ts";

/** The functions of live sessions with which answers of a map are adapted to a session. */
export interface Rooms {
  context(room: string): Promise<{ readonly url: string; readonly title: string }>;
  locate(room: string, locators: Locators): Promise<Readonly<Record<string, Located>>>;
  page(room: string): Promise<SessionPage>;
  texts(room: string): Promise<PageWithTexts>;
  analyze(room: string, options: AnalyzeRequest): Promise<Pick<AnalysisData, "highlightedElements">>;
  runAction(
    room: string,
    action: Action,
    options?: { readonly asks_before_leaving?: boolean },
  ): Promise<Pick<ActionOutcome, "success" | "data">>;
}

/** Parameters that identify an element. They are removed when an element index identifies the element. */
const LOCATING: ReadonlySet<string> = new Set(["selector", "xpath", "fingerprint"]);

/**
 * Returns the agent's context. If the context names a session and no address, the session's current address
 * and title are added.
 */
export async function contextInRoom(context: AgentContext, rooms: Rooms): Promise<AgentContext> {
  const { room_name, current_url } = context;
  if (room_name === undefined || current_url !== undefined) return context;
  const { url, title } = await rooms.context(room_name);
  return { ...context, current_url: url, current_title: title };
}

/**
 * Replaces fingerprints (descriptions of elements) in the actions of an answer by the elements' indices on
 * the session's page.
 *
 * @param type type of the instruction. In the answer to `get_actions`, every action is on the session's page;
 * in a route, only the first action is.
 */
export async function answerInRoom(
  answer: AgentResponse,
  room: string,
  { type, rooms }: { readonly type: InstructionType | undefined; readonly rooms: Rooms },
): Promise<AgentResponse> {
  const onPage = type === "get_actions" ? answer.actions : answer.actions.slice(0, 1);
  const locators = Object.fromEntries(
    onPage.flatMap(({ parameters }, at) => {
      const { fingerprint } = parameters;
      // The cast is safe: the map's actor wrote the fingerprint as a description of an element.
      return fingerprint ? [[String(at), { fingerprint } as Locator]] : [];
    }),
  );
  if (Object.keys(locators).length === 0) return answer;
  const located = await locatedIn(rooms, room, locators);
  const actions = answer.actions.map((action, at) => withIndex(action, located[String(at)]));
  const shown = Object.values(located).filter((one) => "index" in one).length;
  return { ...answer, actions, metadata: { ...answer.metadata, room_name: room, located: shown } };
}

/**
 * Finds the elements of the locators on the session's page. If the page cannot be read, for example because
 * of a native dialog, returns none. The answer then describes the elements by fingerprints.
 */
async function locatedIn(
  rooms: Rooms,
  room: string,
  locators: Locators,
): Promise<Readonly<Record<string, Located>>> {
  try {
    return await rooms.locate(room, locators);
  } catch (error) {
    if (error instanceof CairnError && error.status < 500) return {};
    throw error;
  }
}

function withIndex(action: BrowserUseAction, located: Located | undefined): BrowserUseAction {
  if (!located || !("index" in located)) return action;
  const { text, ...parameters } = action.parameters;
  const { fingerprint } = parameters;
  const kept = Object.entries(parameters).filter(([key]) => !LOCATING.has(key));
  // In a `click` or a `submit_form`, `text` is the name of the element, so it is left out when the index
  // identifies the element. In other actions, `text` is the text to enter, so it stays.
  const isName = typeof fingerprint === "object" && /^(?:click|submit_form)$/.test(action.tool_name);
  return {
    ...action,
    parameters: {
      index: located.index,
      ...Object.fromEntries(kept),
      ...(text === undefined || isName ? {} : { text }),
    },
  };
}
