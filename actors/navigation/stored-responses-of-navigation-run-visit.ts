/**
 * Stores what a visit has received (responses of sites, and documents that a browser has rendered), until the
 * next visit of the same run. If the process is killed during a visit, the visit runs again with the stored
 * responses.
 */
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Store } from "../../store/index.ts";
import type { ReceivedResponses } from "../reading/index.ts";

interface Received {
  readonly visit: string;
  readonly key: string;
  readonly result: unknown;
}

interface JournalOptions {
  /** The id of the current visit. Stored responses of other visits of the run are ignored. */
  readonly visit: string;
  readonly resumed: boolean;
  /** Signal that is aborted when this node must give up the visit. */
  readonly signal: AbortSignal;
}

/** Name of the field with which JSON represents bytes, as a text with one character for each byte. */
const BYTES = "$bytes";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export class VisitJournal implements ReceivedResponses {
  readonly #results: Store["results"];
  readonly #runId: string;
  readonly #visit: string;
  readonly #signal: AbortSignal;
  readonly #received: Map<string, unknown>;
  readonly #running = new Set<Promise<unknown>>();
  #leaving = false;

  private constructor(
    results: Store["results"],
    runId: string,
    { visit, signal }: Pick<JournalOptions, "visit" | "signal">,
    received: readonly Received[],
  ) {
    this.#results = results;
    this.#runId = runId;
    this.#visit = visit;
    this.#signal = signal;
    this.#received = new Map(received.map(({ key, result }) => [key, result]));
  }

  static async open(
    results: Store["results"],
    runId: string,
    { visit, resumed, signal }: JournalOptions,
  ): Promise<VisitJournal> {
    const received: Received[] = [];
    while (resumed) {
      const body = await results.get(rowId(runId, received.length));
      const row = body === undefined ? undefined : await decoded(body);
      if (row?.visit !== visit) break;
      received.push(row);
    }
    return new VisitJournal(results, runId, { visit, signal }, received);
  }

  async once<Result>(key: string, request: () => Promise<Result>): Promise<Result> {
    // The cast is safe: one key always stands for the same kind of request, so its stored response has the
    // type `Result`.
    if (this.#received.has(key)) return this.#received.get(key) as Result;
    return await this.finished(() => this.#receive(key, request));
  }

  /**
   * Runs work that must be finished and stored before this node hands over the navigation run. After `leave`
   * was called, this node starts no work; the next owner of the run does the work.
   */
  async finished<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#leaving) return await aborted(this.#signal);
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Waits until the running work of this visit is finished and stored. No further work can start. */
  async leave(): Promise<void> {
    this.#leaving = true;
    await Promise.allSettled([...this.#running]);
  }

  async #receive<Result>(key: string, request: () => Promise<Result>): Promise<Result> {
    const result = await request();
    // Each visit writes its rows over those of the visit before. So the table never has more rows than the
    // visit with the most requests.
    const id = rowId(this.#runId, this.#received.size);
    this.#received.set(key, result);
    const body = await encoded({ visit: this.#visit, key, result });
    // A failed write is ignored, because the response has already arrived. Without the stored row, the visit
    // sends the request again if the process is killed and restarted.
    await this.#results.put(id, body, Date.now()).catch(() => undefined);
    return result;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

function rowId(runId: string, position: number): string {
  return `navigation:${runId}:${position}`;
}

async function encoded(received: Received): Promise<string> {
  const json = JSON.stringify(received, (_, value: unknown) =>
    value instanceof Uint8Array ? { [BYTES]: Buffer.from(value).toString("latin1") } : value,
  );
  return (await compress(json)).toString("base64");
}

async function decoded(body: string): Promise<Received> {
  const json = (await decompress(Buffer.from(body, "base64"))).toString();
  // The cast is safe: only `encoded` writes this text, as JSON of a `Received`.
  return JSON.parse(json, (_, value: unknown) =>
    isBytes(value) ? new Uint8Array(Buffer.from(value[BYTES], "latin1")) : value,
  ) as Received;
}

function isBytes(value: unknown): value is { readonly [BYTES]: string } {
  return typeof value === "object" && value !== null && BYTES in value && typeof value[BYTES] === "string";
}
