/**
 * The session of a person who has signed in to the console: a signed cookie with the key's name and the
 * expiry. Every node with the same key accepts it. A request that changes something also needs the session's
 * token, which only pages of this Cairn can read.
 */
import { consoleLimits } from "../console/console-limits.ts";
import type { Caller } from "./api-key-scopes.ts";
import type { Signer } from "./ticket-and-cookie-signer.ts";

const COOKIE = "cairn_session";
const FORM = /(?:^|;\s*)cairn_session=([\w-]{1,40})\.(\d{1,15})\.([\w-]{43})(?:;|$)/;

/** The header that contains the token. A foreign page cannot send it without a preflight. */
const CSRF_HEADER = "x-cairn-csrf";

const statement = (name: string, expires: number): string => `session of ${name} until ${expires}`;
const tokenStatement = (name: string, expires: number): string => `token of ${name} until ${expires}`;

interface ConsoleSession {
  readonly caller: Caller;
  readonly expires: number;
}

export class ConsoleSessions {
  readonly #proofs: Signer;

  constructor(proofs: Signer) {
    this.#proofs = proofs;
  }

  /**
   * Returns the value of the header that sets the cookie of a new session.
   *
   * @param secure true if the request was sent over TLS
   */
  cookie({ name }: Caller, now: number, secure: boolean): string {
    const expires = now + consoleLimits.session;
    const proof = this.#proofs.sign(name, statement(name, expires)) ?? "";
    return this.#header(`${name}.${expires}.${proof}`, consoleLimits.session, secure);
  }

  /** Returns a cookie that ends the session in the browser. */
  endingCookie(secure: boolean): string {
    return this.#header("", 0, secure);
  }

  #header(value: string, lifetime: number, secure: boolean): string {
    const parts = [
      `${COOKIE}=${value}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      `Max-Age=${Math.floor(lifetime / 1_000)}`,
    ];
    return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
  }

  /**
   * Returns the caller whose session cookie the request contains; `undefined` when the cookie is missing,
   * invalid or expired.
   */
  callerOf(request: Request, now: number): Caller | undefined {
    return this.#sessionOf(request, now)?.caller;
  }

  /** Returns the token that the pages of this session must send with requests. */
  tokenOf(request: Request, now: number): string | undefined {
    const session = this.#sessionOf(request, now);
    return (
      session && this.#proofs.sign(session.caller.name, tokenStatement(session.caller.name, session.expires))
    );
  }

  /**
   * Whether a page of this Cairn has sent the request. Both the headers of the browser and the session's
   * token must show it.
   */
  isFromOwnPage(request: Request, now: number): boolean {
    const session = this.#sessionOf(request, now);
    if (!session || request.headers.get("sec-fetch-site") !== "same-origin") return false;
    const { name } = session.caller;
    const given = request.headers.get(CSRF_HEADER) ?? "";
    return this.#proofs.verify(name, tokenStatement(name, session.expires), given) !== undefined;
  }

  #sessionOf(request: Request, now: number): ConsoleSession | undefined {
    const [, name = "", expires = "", given = ""] = FORM.exec(request.headers.get("cookie") ?? "") ?? [];
    if (given === "" || Number(expires) <= now) return undefined;
    const caller = this.#proofs.verify(name, statement(name, Number(expires)), given);
    return caller && { caller, expires: Number(expires) };
  }
}
