/**
 * One HTTP exchange: a request whose redirects are not followed, and its body up to a size limit.
 *
 * A host name is resolved once, and the connection goes to an address that the egress policy allows.
 * Deadlines are timers that end with the request, so a job of a million pages does not collect listeners on
 * its signal.
 */
import type { Destinations } from "../../../machines/egress/checked-host-resolver-interface.ts";
import { plainHost } from "../../../machines/egress/egress-policy.ts";
import { Refused } from "../../../machines/errors.ts";
import { type FailedRead, networkFailure, refusedByPolicy, timedOut } from "../url-read-failures.ts";

export interface ExchangeOptions {
  readonly destinations: Destinations;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly accept: string;
  /** Milliseconds to wait for the headers of each response. */
  readonly answerWithin: number;
  /**
   * Milliseconds for the complete exchange: all requests, including redirects, until the last byte has
   * arrived.
   */
  readonly within: number;
}

class Deadline extends Error {
  readonly after: number;
  constructor(after: number) {
    super(`No answer within ${after} ms.`);
    this.after = after;
  }
}

/**
 * A request and the requests to which it is redirected. All share one deadline. Only `withExchange` creates and
 * ends exchanges.
 */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #controller = new AbortController();

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  get controller(): AbortController {
    return this.#controller;
  }

  /** Returns the response before its body is read. The caller must read the body or call `discard`. */
  async request(url: string): Promise<Response> {
    const { destinations, answerWithin } = this.#options;
    const timer = setTimeout(() => this.#controller.abort(new Deadline(answerWithin)), answerWithin);
    try {
      const target = new URL(url);
      const known = destinations.addressesOf(target);
      const addresses = known instanceof Promise ? await untilAborted(known, this.#controller.signal) : known;
      return await this.#tryInTurn(target, addresses);
    } finally {
      clearTimeout(timer);
    }
  }

  async #tryInTurn(target: URL, [address, ...others]: readonly string[]): Promise<Response> {
    if (address === undefined) throw new Error(`There is no address for ${target.host}.`);
    try {
      return await this.#send(target, address);
    } catch (thrown) {
      const { aborted, reason } = this.#controller.signal;
      const silent = aborted && reason instanceof Deadline;
      if (silent || isUnconnected(thrown)) this.#options.destinations.avoid(target, address);
      if (aborted || others.length === 0 || !isUnconnected(thrown)) throw thrown;
      return await this.#tryInTurn(target, others);
    }
  }

  #send(target: URL, address: string): Promise<Response> {
    const { userAgent, accept } = this.#options;
    const init = { redirect: "manual", signal: this.#controller.signal } as const;
    const headers = { "user-agent": userAgent, accept };
    const host = plainHost(target.hostname);
    if (address === host) return fetch(target, { ...init, headers });
    const pinned = new URL(target);
    pinned.hostname = address.includes(":") ? `[${address}]` : address;
    // The request goes to the resolved address, but the certificate must be checked for the host name. `tls`
    // is an option of Bun. Without this option, a runtime refuses the certificate, which is safe.
    const tls = target.protocol === "https:" ? { tls: { serverName: host } } : {};
    return fetch(pinned, { ...init, ...tls, headers: { ...headers, host: target.host } });
  }
}

/**
 * Runs `work` under the deadline and the caller's signal. A network error becomes a `FailedRead`. An abort by
 * the caller rejects with the signal's reason. Any other error is a defect and is thrown again.
 */
export async function withExchange<Result>(
  url: string,
  options: ExchangeOptions,
  work: (exchange: Exchange) => Promise<Result>,
): Promise<Result | FailedRead> {
  const { signal, within } = options;
  signal.throwIfAborted();
  const exchange = new Exchange(options);
  const { controller } = exchange;
  const abort = (): void => controller.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => controller.abort(new Deadline(within)), within);
  try {
    return await work(exchange);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    const { reason } = controller.signal;
    if (controller.signal.aborted && reason instanceof Deadline) return timedOut(url, reason.after);
    if (thrown instanceof Refused) return refusedByPolicy(thrown);
    return networkFailure(url, thrown);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Whether the error shows that no connection was made, so that no byte was sent. It is then safe to try
 * another address of the host.
 */
function isUnconnected(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return /^(ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|FailedToOpenSocket)$/.test(
    code,
  );
}

/**
 * Returns a promise with the result of `promise`. It rejects with the signal's reason if the signal aborts
 * before.
 */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Cancels the body of a response that is not needed, so that it is not downloaded. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel();
}

/**
 * Returns a body of at most `most` bytes. Returns `undefined` for a larger body, and does not download the
 * rest of that body.
 */
export async function readBody(
  response: Response,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { bytes, complete } = await readStart(response, most);
  return complete ? bytes : undefined;
}

/** Returns the first `most` bytes of a body, and whether the body is complete. */
export async function readStart(
  response: Response,
  most: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly complete: boolean }> {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  // When the body is compressed, `Content-Length` is the compressed size and cannot be compared with the
  // limit.
  const known = Number.isFinite(length) && response.headers.get("content-encoding") === null;
  if (known && length <= most) return { bytes: new Uint8Array(await response.arrayBuffer()), complete: true };
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  if (!reader) return { bytes: new Uint8Array(), complete: true };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      return { bytes: concatenate(chunks, size).subarray(0, most), complete: false };
    }
  }
  return { bytes: concatenate(chunks, size), complete: true };
}

function concatenate(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/**
 * Returns the target of a redirect as an absolute URL without fragment. Returns `undefined` if it is no
 * http(s) URL.
 */
export function redirectTarget(response: Response, from: string): string | undefined {
  const location = response.headers.get("location");
  if (location === null) return undefined;
  const url = URL.parse(asUtf8(location), from);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  url.username = "";
  url.password = "";
  return url.href;
}

/**
 * Decodes a header as UTF-8. `fetch` decodes headers as Latin-1, but servers that send an unencoded URL use
 * UTF-8.
 */
function asUtf8(header: string): string {
  const isLatin1 = /[\u0080-\uffff]/.test(header) && !/[\u0100-\uffff]/.test(header);
  if (!isLatin1) return header;
  const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return header;
    throw error;
  }
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}
