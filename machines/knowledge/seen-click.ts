/** Which transition of a map a click in a session took: the one with the element's name, if it led to its screen. */
import { tidy } from "./screen-name.ts";
import type { TravelOutcome } from "./travelled.ts";

/** A click of a session that changed the address. */
export interface SeenClick {
  /** Addresses before and after it. */
  readonly from: string;
  readonly to: string;
  /** The accessible name of the element. */
  readonly name: string;
}

/** A transition that leaves the screen of the click. */
export interface LeavingTransition {
  readonly via: string;
  /** The texts by which its element is known. */
  readonly names: readonly string[];
  /** The screen or instance that it leads to; `undefined` for none of the map. */
  readonly screen: string | undefined;
  /** It leads to a state of a page, which an address does not tell. */
  readonly state: boolean;
}

/**
 * @param from the instance that was shown
 * @param arrived the ids of the instance and the screen that the address after the click has; empty for an unknown one
 * @returns `undefined` when no transition, or more than one, may have been taken
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
