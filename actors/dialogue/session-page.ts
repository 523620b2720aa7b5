/** The page of a session, for plans and steps. */
import type { AnalysisData } from "../../machines/session/page-snapshot.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";

type Asks = Pick<EffectScope<CairnServices>, "ask" | "query">;

const WHOLE_PAGE = {
  viewport_only: false,
  include_left_out: false,
  highlight: false,
  include_text: false,
} as const;

/** A hibernated session is woken: it has no page to read. */
export async function readPage(room: string, asks: Asks): Promise<AnalysisData> {
  await asks.ask("session", room, { type: "WAKE" });
  return await asks.query("session", room, "analyze", WHOLE_PAGE);
}
