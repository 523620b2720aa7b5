/** Decides whether a step of a walk (the execution of a route) has led to the expected screen. */
import { pageOfState } from "../knowledge/page-states-to-instances.ts";

export interface ShownScreen {
  /** Id of the screen that the session shows; `null` when the map has no such screen. */
  readonly screen_id: string | null;
  /** Id of the page, if the screen has several pages. */
  readonly instance_id?: unknown;
  /** Whether the step has opened a new document in the browser. */
  readonly isNewDocument: boolean;
}

/** @param screen id of the expected screen or page; empty when any screen is accepted */
export function isExpectedScreen(
  screen: string,
  { screen_id, instance_id, isNewDocument }: ShownScreen,
): boolean {
  if (screen === "" || screen === screen_id || screen === instance_id) return true;
  // A document that has just been opened may resemble one of its page's states, such as one in which a menu
  // was toggled. The page is the expected one all the same.
  return isNewDocument && screen_id !== null && pageOfState(screen_id) === screen;
}
