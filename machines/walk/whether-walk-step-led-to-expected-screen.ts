/** Decides whether a step of a walk (an executed route) has led to the screen that the route expects. */
import { pageOfState } from "../knowledge/screens/page-states-to-map-instances.ts";

export interface ShownScreen {
  /** Id of the screen that the session shows; `null` when the map has no such screen. */
  readonly screen_id: string | null;
  /** Id of the shown page, if the screen is a group of several pages. */
  readonly instance_id?: unknown;
  /** Whether the step has opened a new document, or another address within a single-page application. */
  readonly isNewAddress: boolean;
}

/**
 * Whether the session shows the screen or page that the route expects.
 *
 * @param screen id of the expected screen or page; empty if any screen is right
 */
export function isExpectedScreen(
  screen: string,
  { screen_id, instance_id, isNewAddress }: ShownScreen,
): boolean {
  if (screen === "" || screen === screen_id || screen === instance_id) return true;
  // The map may recognise a new page as a state of the expected page, for example as the page with an open
  // menu. This counts as the expected page too.
  return isNewAddress && screen_id !== null && pageOfState(screen_id) === screen;
}
