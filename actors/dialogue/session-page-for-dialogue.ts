/** Reads the page of a session, so that a dialogue can plan on it or perform a step on it. */
import { CairnError } from "../../machines/errors.ts";
import { withWholeDates } from "../../machines/session/page/date-fields-of-several-parts.ts";
import type { AnalysisData } from "../../machines/session/page/page-snapshot.ts";
import { sessionLimits } from "../../machines/session/session-limits.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

type Asks = Pick<EffectScope<CairnServices>, "ask" | "query">;

/** Options for the snapshot on which a plan is based: all elements with their positions on the page. */
export const WHOLE_PAGE = {
  viewport_only: false,
  include_left_out: false,
  highlight: false,
  include_text: false,
  with_places: true,
} as const;

/**
 * Reads the page of a session. A hibernated session is woken first. A session whose browser was lost is
 * restored from its saved state, and then its page is read.
 */
export async function readPage(room: string, asks: Asks): Promise<AnalysisData> {
  return await withBrowser(room, asks, async () => {
    await asks.ask("session", room, { type: "WAKE" });
    const page = await asks.query("session", room, "analyze", WHOLE_PAGE);
    return { ...page, highlightedElements: [...withWholeDates(page.highlightedElements)] };
  });
}

/**
 * Whether the session has received an action with this id. The command `WAKE` is sent first. The session
 * handles commands in order, so all earlier commands are then handled too.
 */
export async function hasReceived(room: string, id: string, asks: Asks): Promise<boolean> {
  await withBrowser(room, asks, () => asks.ask("session", room, { type: "WAKE" }));
  const { unknown } = await asks.query("session", room, "outcome", { id });
  return unknown !== true;
}

/**
 * Runs `work`. If this fails because the session's browser was lost, restores the session and runs `work`
 * once more.
 */
async function withBrowser<T>(room: string, asks: Asks, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { phase } = await asks.query("session", room, "phase", { wait: false });
    if (!(thrown instanceof CairnError) || phase !== "failed") throw thrown;
    await recovered(room, asks);
    return await work();
  }
}

/** Restores a session whose browser was lost, from its saved state. */
export async function recovered(room: string, asks: Asks): Promise<void> {
  await asks.ask("session", room, { type: "RECOVER" });
  const until = performance.now() + sessionLimits.startWithin;
  while (performance.now() < until) {
    const { phase } = await asks.query("session", room, "phase", { wait: true });
    if (phase === "live" || phase === "hibernated" || phase === "failed") return;
  }
}
