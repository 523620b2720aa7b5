/**
 * Counts recent successes and failures of a map's transitions. The counts decide which transitions routes
 * prefer, avoid for some time, or never use.
 */
import { knowledgeLimits } from "../map-limits.ts";
import { transitionCost } from "./transition-cost.ts";

export interface Travelled {
  readonly successes: number;
  readonly failures: number;
  /**
   * Number of failed uses since the last successful use. A use is successful if it leads to the expected
   * screen.
   */
  readonly failing: number;
  /** Time at which the transition was last used, in milliseconds since the epoch. */
  readonly at: number;
}

/** The result of one use of a transition in a session. */
export interface TravelOutcome {
  readonly from: string;
  /**
   * The `edgeId` of the transition, which distinguishes it from other transitions between the same two
   * screens.
   */
  readonly via: string;
  /** Whether the transition led to its target screen. */
  readonly ok: boolean;
}

/** Initial confidence (0 to 1) of a transition, before its successes and failures are counted. */
const TAKEN = 0.95;
const NEVER_TAKEN: Travelled = { successes: 0, failures: 0, failing: 0, at: 0 };

/** Returns the key under which the successes and failures of a transition are counted. */
function edgeName({ from, via }: Pick<TravelOutcome, "from" | "via">): string {
  return `${from}\n${via}`;
}

export function travelledAfter(
  before: Readonly<Record<string, Travelled>> = {},
  outcomes: readonly TravelOutcome[],
  at: number,
): Readonly<Record<string, Travelled>> {
  const recent = new Map(Object.entries(before));
  for (const outcome of outcomes) {
    const name = edgeName(outcome);
    const { successes, failures, failing } = recent.get(name) ?? NEVER_TAKEN;
    // The entry is deleted and added again, so that it moves to the end of the Map. The Map is thus ordered
    // by the time of the last use, and the oldest entries are dropped first.
    recent.delete(name);
    recent.set(
      name,
      outcome.ok
        ? { successes: successes + 1, failures, failing: 0, at }
        : { successes, failures: failures + 1, failing: failing + 1, at },
    );
  }
  return Object.fromEntries([...recent].slice(-knowledgeLimits.travelledTransitions));
}

/**
 * Whether the outcome was counted before. A walk (an executed route) and its session both report the same
 * click.
 */
function isRepeated(known: Travelled, { ok }: TravelOutcome, at: number): boolean {
  return at - known.at < knowledgeLimits.sameTravel && ok === (known.failing === 0);
}

/** Returns those of the given outcomes that were not counted before. */
export function newOutcomes(
  travelled: Readonly<Record<string, Travelled>> = {},
  outcomes: readonly TravelOutcome[],
  at: number,
): readonly TravelOutcome[] {
  return outcomes.filter((outcome) => {
    const known = travelled[edgeName(outcome)];
    return !known || !isRepeated(known, outcome, at);
  });
}

/** How routes currently use a transition: at which cost, and whether they avoid it. */
export interface TravelRule {
  readonly from: string;
  readonly via: string;
  readonly cost: number;
  /**
   * How routes use a transition. `avoid`: only if there is no other route. `drop`: not at all, because it
   * failed too often in a row.
   *
   * After some time, a dropped or avoided transition may be used again.
   */
  readonly use: "take" | "avoid" | "drop";
}

export function travelRules(
  travelled: Readonly<Record<string, Travelled>> = {},
  now: number,
): readonly TravelRule[] {
  const { avoidedFor, droppedAfter, droppedFor } = knowledgeLimits;
  return Object.entries(travelled).map(([name, { successes, failures, failing, at }]) => {
    const [from = "", via = ""] = name.split("\n");
    const dropped = failing >= droppedAfter;
    const rests = failing > 0 && now - at < (dropped ? droppedFor : avoidedFor);
    return {
      from,
      via,
      cost: transitionCost({ successes, failures, confidence: TAKEN }),
      use: rests ? (dropped ? "drop" : "avoid") : "take",
    };
  });
}
