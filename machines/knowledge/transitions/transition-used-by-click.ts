/**
 * Determines which transition of a map a click in a session used: the one whose element has the name of the
 * clicked element. If several elements have this name, the click must have led to the target of the
 * transition.
 */
import { tidy } from "../screens/screen-name-from-title.ts";
import type { TravelOutcome } from "./transition-success-and-failure-counts.ts";

/** A click of a session that changed the browser's address. */
export interface SeenClick {
  /** The address that the browser showed before the click. */
  readonly from: string;
  /** The address that the browser showed after the click. */
  readonly to: string;
  /** The accessible name of the clicked element. */
  readonly name: string;
}

/** A transition that starts at the screen on which a click (`SeenClick`) was made. */
export interface LeavingTransition {
  readonly via: string;
  /** Names of the element that a click must hit to use this transition. */
  readonly names: readonly string[];
  /** The screen or page (instance) to which the transition leads; `undefined` when it is not on the map. */
  readonly screen: string | undefined;
  /**
   * Whether the transition leads to a state of a page. A state has the same address as its page, so the
   * address does not show whether the click has reached the state.
   */
  readonly state: boolean;
}

/**
 * Returns the transition that the click has used; `undefined` if no transition fits or several do.
 *
 * @param from page (instance of a screen) on which the click happened
 * @param arrived the ids of the page and the screen at the address after the click; empty for an unknown
 * address
 */
export function outcomeOf(
  click: SeenClick,
  from: string,
  leaving: readonly LeavingTransition[],
  arrived: readonly string[],
): TravelOutcome | undefined {
  const wanted = plain(click.name);
  const named = leaving.filter(({ names, state }) => !state && names.some((name) => plain(name) === wanted));
  const right = named.find(({ screen }) => screen !== undefined && arrived.includes(screen));
  if (right) return { from, via: right.via, ok: true };
  const [only, ...others] = named;
  return only && others.length === 0 ? { from, via: only.via, ok: false } : undefined;
}

function plain(text: string): string {
  return tidy(text).toLowerCase();
}
