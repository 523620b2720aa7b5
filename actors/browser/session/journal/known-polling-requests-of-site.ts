/**
 * Remembers which requests of a site are polls: the server answers them only when there is news, or the page repeats
 * them. An action does not wait for them. Sessions on the same site may share what they have found out.
 */
import { readyLimits } from "../../../../machines/session/session-limits.ts";

/** The parts of a request by which a poll is recognised. */
export interface PolledCall {
  readonly method: string;
  readonly url: string;
  readonly postData?: string;
}

export class KnownPolls {
  readonly #polls = new Set<string>();
  /**
   * Keys of requests for which an action has waited for the maximum time. Some of these requests may only be slow.
   */
  readonly #givenUp = new Set<string>();

  /** Whether requests with this key are polls. A document is complete without their responses. */
  has(key: string): boolean {
    return this.#polls.has(key);
  }

  /** Whether no further action waits for requests with this key. */
  isGivenUp(key: string): boolean {
    return this.#polls.has(key) || this.#givenUp.has(key);
  }

  add(key: string): void {
    if (this.#polls.size < readyLimits.endlessCalls) this.#polls.add(key);
  }

  giveUp(key: string): void {
    if (this.#givenUp.size < readyLimits.endlessCalls) this.#givenUp.add(key);
  }
}

/** Number of characters of a request's body that identify a poll. */
const BODY_LENGTH = 500;

/**
 * Number of characters from which a part of a path with a digit counts as an id, such as `ma7et6aiexy8ani`. A shorter
 * part may be a version, such as `v1`.
 */
const ID_LENGTH = 6;

/**
 * Parameters whose values differ in each request, and may have letters only: the time stamp and the session id of
 * Engine.IO, which Socket.IO uses.
 */
const VARYING_PARAMETERS: ReadonlySet<string> = new Set(["t", "sid"]);

/**
 * Returns a key that is the same for all requests of one poll. The polls of Engine.IO, CometD and Zulip differ in a time
 * stamp, a number or an id, so words with a digit are left out. The other words stay, because some servers have one
 * address for all calls, such as `/graphql`.
 */
export function pollKeyOf({ method, url, postData = "" }: PolledCall): string {
  const [address = "", query = ""] = url.replace(/#.*/s, "").split(/\?(.*)/s);
  const [scheme = "", empty = "", host = "", ...parts] = address.split("/");
  const parameters = query.split("&").map((parameter) => {
    const [name = "", value = ""] = parameter.split("=", 2);
    return `${name}=${VARYING_PARAMETERS.has(name) || /\d/.test(value) ? "#" : value}`;
  });
  const body = postData.slice(0, BODY_LENGTH).replace(/[\w-]*\d[\w-]*/g, "#");
  return `${method} ${[scheme, empty, host, withoutIds(parts.join("/"))].join("/")}?${parameters.join("&")} ${body}`;
}

/** Returns a path without its numbers and ids. */
export function withoutIds(path: string): string {
  const isId = (part: string): boolean => /^\d+$/.test(part) || (/\d/.test(part) && part.length >= ID_LENGTH);
  return path
    .split("/")
    .map((part) => (isId(part) ? "#" : part))
    .join("/");
}
