/**
 * The session of a person who has signed in to the console: a signed cookie.
 * It holds the key's name, the expiry and a signature, so every node with the same key accepts it. It only
 * opens GET requests and the console's WebSockets.
 */
import { consoleLimits } from "../console/limits.ts";
import type { Caller } from "./key-scope.ts";
import type { Signer } from "./signer.ts";

const COOKIE = "cairn_session";
const FORM = /(?:^|;\s*)cairn_session=([\w-]{1,40})\.(\d{1,15})\.([\w-]{43})(?:;|$)/;

function statement(name: string, expires: number): string {
  return `session of ${name} until ${expires}`;
}

export class ConsoleSessions {
  readonly #proofs: Signer;

  constructor(proofs: Signer) {
    this.#proofs = proofs;
  }

  /** The cookie of a new session. `secure`: the request came over TLS. */
  cookie({ name }: Caller, now: number, secure: boolean): string {
    const expires = now + consoleLimits.session;
    const proof = this.#proofs.sign(name, statement(name, expires)) ?? "";
    const parts = [
      `${COOKIE}=${name}.${expires}.${proof}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      `Max-Age=${Math.floor(consoleLimits.session / 1_000)}`,
    ];
    return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
  }

  /** The caller of the session in a request; `undefined` when it is missing or expired. */
  callerOf(request: Request, now: number): Caller | undefined {
    const [, name = "", expires = "", given = ""] = FORM.exec(request.headers.get("cookie") ?? "") ?? [];
    if (given === "" || Number(expires) <= now) return undefined;
    return this.#proofs.verify(name, statement(name, Number(expires)), given);
  }
}
