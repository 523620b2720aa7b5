/**
 * What a visit has read so far, kept until the next visit of the run: after a kill, pages that have arrived are not
 * requested again.
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

  /** @param visit names the visit within its run */
  static async open(
    results: Store["results"],
    runId: string,
    { visit, resumed }: { readonly visit: string; readonly resumed: boolean },
  ): Promise<VisitJournal> {
    const id = `navigation:${runId}`;
    const text = resumed ? await results.get(id) : undefined;
    const kept = text === undefined ? undefined : (JSON.parse(text) as Journal); // Written below.
    return new VisitJournal(results, id, kept?.visit === visit ? kept : { visit, outcomes: {} });
  }

  /** The outcome of an address: as it was read before, else as `read` returns it. */
  async outcome(url: string, read: () => Promise<CrawlOutcome>): Promise<CrawlOutcome> {
    const earlier = this.#outcomes[url];
    if (earlier) return earlier;
    const outcome = await read();
    this.#outcomes[url] = outcome;
    const journal: Journal = { visit: this.#visit, outcomes: this.#outcomes };
    // The page is there; without the journal a kill makes it to be read again.
    await this.#results.put(this.#id, JSON.stringify(journal), Date.now()).catch(() => undefined);
    return outcome;
  }
}
