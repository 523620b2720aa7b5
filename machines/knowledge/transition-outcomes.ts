/**
 * Counts recent outcomes of a map's transitions. They decide which transitions routes prefer, avoid for some
 * time, or never use.
 */
import { knowledgeLimits } from "./limits.ts";
import { transitionCost } from "./transition-cost.ts";

export interface Travelled {
  readonly successes: number;
  readonly failures: number;
  /** Number of failures since the transition last led to its screen. */
  readonly failing: number;
  /** Time of the last outcome in milliseconds since the epoch. */
  readonly at: number;
}

/** The outcome of one use of a transition. */
export interface TravelOutcome {
  readonly from: string;
  /** The `edgeId` of the transition. */
  readonly via: string;
  /** Whether the transition led to its screen. */
  readonly ok: boolean;
}

/** Confidence of a transition before any of its outcomes is counted. */
const TAKEN = 0.95;
const NEVER_TAKEN: Travelled = { successes: 0, failures: 0, failing: 0, at: 0 };

export function travelledAfter(
  before: Readonly<Record<string, Travelled>> = {},
  outcomes: readonly TravelOutcome[],
  at: number,
): Readonly<Record<string, Travelled>> {
  const recent = new Map(Object.entries(before));
  for (const { from, via, ok } of outcomes) {
    const name = `${from}\n${via}`;
    const { successes, failures, failing } = recent.get(name) ?? NEVER_TAKEN;
    // Deleting the entry first moves it to the end of the Map. So the entries at the beginning have the
    // oldest outcomes and are dropped first.
    recent.delete(name);
    recent.set(
      name,
      ok
        ? { successes: successes + 1, failures, failing: 0, at }
        : { successes, failures: failures + 1, failing: failing + 1, at },
    );
  }
  return Object.fromEntries([...recent].slice(-knowledgeLimits.travelledTransitions));
}

/**
 * Whether an outcome was counted already. A walk (an executed route) and its session both report the same
 * click.
 */
function isRepeated(known: Travelled, { ok }: TravelOutcome, at: number): boolean {
  return at - known.at < knowledgeLimits.sameTravel && ok === (known.failing === 0);
}

/** The outcomes that were not counted yet. */
export function newOutcomes(
  travelled: Readonly<Record<string, Travelled>> = {},
  outcomes: readonly TravelOutcome[],
  at: number,
): readonly TravelOutcome[] {
  return outcomes.filter((outcome) => {
    const known = travelled[`${outcome.from}\n${outcome.via}`];
    return !known || !isRepeated(known, outcome, at);
  });
}

/** How routes treat a transition at present. */
export interface TravelRule {
  readonly from: string;
  readonly via: string;
  readonly cost: number;
  /**
   * `take`: used normally. `avoid`: used only when there is no other route. `drop`: never used, because it
   * failed too often in a row. After some time, a route may use the transition normally again, and its next
   * outcome decides.
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
