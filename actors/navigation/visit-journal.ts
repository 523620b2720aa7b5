/**
 * Stores what a visit has read until the next visit of the same run. When the process is killed during a
 * visit, the visit runs again and does not request these pages again.
 */
import type { Store } from "../../store/index.ts";
import type { CrawlOutcome } from "../pages/index.ts";

interface Journal {
  readonly visit: string;
  readonly outcomes: Readonly<Record<string, CrawlOutcome>>;
}

export class VisitJournal {
  readonly #results: Store["results"];
  readonly #id: string;
  readonly #visit: string;
  readonly #outcomes: Record<string, CrawlOutcome>;

  private constructor(results: Store["results"], id: string, { visit, outcomes }: Journal) {
    this.#results = results;
    this.#id = id;
    this.#visit = visit;
    this.#outcomes = { ...outcomes };
  }

  /** @param visit id of the visit. Outcomes that another visit of the run has stored are ignored */
  static async open(
    results: Store["results"],
    runId: string,
    { visit, resumed }: { readonly visit: string; readonly resumed: boolean },
  ): Promise<VisitJournal> {
    const id = `navigation:${runId}`;
    const text = resumed ? await results.get(id) : undefined;
    // The cast is safe: only the method `outcome` writes this text, as JSON of a `Journal`.
    const kept = text === undefined ? undefined : (JSON.parse(text) as Journal);
    return new VisitJournal(results, id, kept?.visit === visit ? kept : { visit, outcomes: {} });
  }

  /** Returns the outcome of reading an address: the stored one, or else that of `read`. */
  async outcome(url: string, read: () => Promise<CrawlOutcome>): Promise<CrawlOutcome> {
    const earlier = this.#outcomes[url];
    if (earlier) return earlier;
    const outcome = await read();
    this.#outcomes[url] = outcome;
    const journal: Journal = { visit: this.#visit, outcomes: this.#outcomes };
    // A failed write is ignored, because the page was read. The only loss is that the visit reads the page
    // again when the process is killed.
    await this.#results.put(this.#id, JSON.stringify(journal), Date.now()).catch(() => undefined);
    return outcome;
  }
}
