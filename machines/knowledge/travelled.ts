/**
 * Recent outcomes of a map's transitions: what routes prefer, what they avoid for a while, and what they never take.
 */
import { knowledgeLimits } from "./limits.ts";
import { transitionCost } from "./transition-cost.ts";

export interface Travelled {
  readonly successes: number;
  readonly failures: number;
  /** Failures since it last led to its screen. */
  readonly failing: number;
  /** Milliseconds since the epoch of the last outcome. */
  readonly at: number;
}

/** One transition that was taken. */
export interface TravelOutcome {
  readonly from: string;
  /** Its `edgeId`. */
  readonly via: string;
  /** Whether it led to its screen. */
  readonly ok: boolean;
}

/** Confidence of what has led to its screen or not, before its outcomes count. */
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
    // The latest last, so that the oldest is forgotten first.
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

/** Whether an outcome was counted already: a walk and the session that it walks in both report a click. */
function isRepeated(known: Travelled, { ok }: TravelOutcome, at: number): boolean {
  return at - known.at < knowledgeLimits.sameTravel && ok === (known.failing === 0);
}

/** The outcomes that were not counted already. */
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

/** What a transition means for routes now. */
export interface TravelRule {
  readonly from: string;
  readonly via: string;
  readonly cost: number;
  /**
   * `avoid`: only when there is no other way. `drop`: it has failed too often in a row. After a while each of them is
   * tried again, and its next outcome decides.
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
