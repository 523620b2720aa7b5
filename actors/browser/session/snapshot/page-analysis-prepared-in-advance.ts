/**
 * Builds the answer to the next analysis before it is requested. If the snapshot of a large page has already been
 * taken, most of the remaining time goes into comparing it with the one before and writing a line for each element.
 */
import { answerOf } from "../../../../machines/session/page/analyze-page-answer.ts";
import type {
  AnalysisData,
  AnalyzeRequest,
  PageAnalysis,
} from "../../../../machines/session/page/page-snapshot.ts";

interface Prepared {
  readonly analysis: PageAnalysis;
  readonly since: PageAnalysis | undefined;
  /** The options of the prepared request, as JSON. */
  readonly options: string;
  readonly answer: AnalysisData;
}

export class PreparedAnswer {
  /** The options of the last request. The next answer is prepared for a request with the same options. */
  #requested: AnalyzeRequest | undefined;
  #prepared: Prepared | undefined;

  /**
   * Returns the answer to a request. It may have been prepared in advance.
   *
   * @param since the snapshot with the revision `since_revision`, if it is still stored
   */
  answer(analysis: PageAnalysis, options: AnalyzeRequest, since: PageAnalysis | undefined): AnalysisData {
    this.#requested = options;
    return this.#prepare(analysis, options, since).answer;
  }

  /**
   * Prepares the answer to the next request for a snapshot. If the previous request asked for changes, the
   * next one probably asks for the changes since the caller's newest snapshot.
   *
   * @param newest the newest snapshot that the caller has seen
   */
  prepare(analysis: PageAnalysis, newest: PageAnalysis | undefined): void {
    if (!this.#requested || !newest) return;
    if (this.#requested.since_revision === undefined) this.#prepare(analysis, this.#requested, undefined);
    else this.#prepare(analysis, { ...this.#requested, since_revision: newest.revision }, newest);
  }

  #prepare(analysis: PageAnalysis, options: AnalyzeRequest, since: PageAnalysis | undefined): Prepared {
    const known = this.#prepared;
    const text = JSON.stringify(options);
    if (known?.analysis === analysis && known.since === since && known.options === text) return known;
    this.#prepared = { analysis, since, options: text, answer: answerOf(analysis, options, since) };
    return this.#prepared;
  }
}
