/**
 * Limits of dialogues. Most come from the protocol specification. Values are in milliseconds unless a name
 * says otherwise.
 */
import { MINUTE, SECOND } from "../time-and-size-units.ts";

export const dialogueLimits = {
  /**
   * Minimum confidence (0 to 1) at which a plan only needs approval. Below it, the assumptions of the plan are
   * announced first.
   */
  approve: 0.9,
  /**
   * Minimum confidence (0 to 1) at which the assumptions of a plan are only announced. Below it, the dialogue
   * asks questions about them.
   */
  assume: 0.5,
  /**
   * Minimum score (0 to 1) of the elements that the offline planner chose (`targetMatch`). Below it, the map and
   * the configured model are tried too.
   */
  clearTarget: 0.9,
  /** Time in which the person can correct an announced assumption. After it, the plan runs. */
  announce: 3 * SECOND,
  questionsPerRound: 3,
  rounds: 3,
  refinements: 3,
  /** Evaluation score (0 to 1) of a plan at which its refinement stops. */
  goodScore: 0.9,
  /** Maximum number of options of one question. The option `Other` is added to these. */
  options: 4,
  /** Maximum number of messages in the state that callers receive. The store contains all messages. */
  recentMessages: 20,
  /** Maximum number of plans in the state that callers receive. The store contains all plans. */
  recentPlans: 3,
  /**
   * Time for which a dialogue waits for a page that is still loading and does not show what the task names, before it
   * asks the person. Cold pages of n8n took up to 28 s on a busy computer.
   */
  loadingWithin: 30 * SECOND,
  /** Pause between two readings of such a page. */
  loadingPause: SECOND,
  /** Time limit for one step of a plan. */
  stepWithin: 2 * MINUTE,
  taskLength: 2_000,
  /** Maximum length of a line in the conversation of a dialogue, in characters. */
  historyLine: 300,
  /** Maximum number of times that a task is planned again on the page that its plan has reached. */
  continuations: 2,
  /** Maximum number of automatic retries of a failed step, if the dialogue permits automatic recovery. */
  autoRecoveries: 2,
  /**
   * Maximum number of page elements in a request that lists the elements of its page instead of naming a
   * session or an address.
   */
  givenElements: 5_000,
  /**
   * Maximum number of parts of a task that the planner reads. A part is, for example, "open the page" or
   * "click Save". Further parts are ignored.
   */
  parts: 30,
} as const;
