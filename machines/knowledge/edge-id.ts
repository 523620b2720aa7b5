/**
 * The identity of a transition among those that leave one screen: the id of the screen it leads to, and for a second
 * way to the same screen (another link or button) a mark of its action.
 */
import { shortHash } from "./screen-id.ts";

/** Before the mark. Ids of screens are slugs without it. */
const SEPARATOR = "#";

/** @param action what tells the action from others that lead to the same screen; empty for the first one */
export function edgeId(target: string, action = ""): string {
  return action === "" ? target : `${target}${SEPARATOR}${shortHash(action)}`;
}

/** The screen that the transition leads to. */
export function targetOfEdge(edge: string): string {
  const at = edge.lastIndexOf(SEPARATOR);
  return at <= 0 ? edge : edge.slice(0, at);
}
