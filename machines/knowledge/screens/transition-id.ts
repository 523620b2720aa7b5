/**
 * The id of a transition. It is unique among the transitions that leave one screen. It is the id of the
 * target screen, and further links or buttons to the same target get a suffix computed from their action.
 */
import { shortHash } from "./screen-id.ts";

/**
 * Separates the two parts of a transition's id: the id of the target screen and the hash of the action. Ids of
 * screens never contain this character.
 */
const SEPARATOR = "#";

/**
 * Returns the `edgeId` of a transition.
 *
 * @param action distinguishes further transitions to the same target; empty for the first
 */
export function edgeId(target: string, action = ""): string {
  return action === "" ? target : `${target}${SEPARATOR}${shortHash(action)}`;
}

/** The id of the screen to which the transition leads. */
export function targetOfEdge(edge: string): string {
  const at = edge.lastIndexOf(SEPARATOR);
  return at <= 0 ? edge : edge.slice(0, at);
}
