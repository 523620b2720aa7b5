/**
 * The session of a person who looks at the pages where a key is asked for: a cookie made with the key.
 *
 * It holds the key's name, the moment it ends and a proof (`proofs.ts`), so every node with the same key knows it. It
 * opens what is read (GET, and the WebSockets of the pages), nothing else. Neighbours: `guard.ts` asks,
 * `console/sign-in.ts` gives.
 */
import { consoleLimits } from "../console/limits.ts";
import type { Proofs } from "./proofs.ts";
import type { Caller } from "./scope.ts";

const COOKIE = "cairn_session";
const FORM = /(?:^|;\s*)cairn_session=([\w-]{1,40})\.(\d{1,15})\.([\w-]{43})(?:;|$)/;

function statement(name: string, expires: number): string {
  return `session of ${name} until ${expires}`;
}

export class Sessions {
  readonly #proofs: Proofs;

  constructor(proofs: Proofs) {
    this.#proofs = proofs;
  }

  /** The cookie of a session that begins now. `secure`: it was come by TLS. */
  cookie({ name }: Caller, now: number, secure: boolean): string {
    const expires = now + consoleLimits.session;
    const proof = this.#proofs.of(name, statement(name, expires)) ?? "";
    const parts = [
      `${COOKIE}=${name}.${expires}.${proof}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      `Max-Age=${Math.floor(consoleLimits.session / 1_000)}`,
    ];
    return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
  }

  /** Whose session a request comes with, if that has not ended. */
  callerOf(request: Request, now: number): Caller | undefined {
    const [, name = "", expires = "", given = ""] = FORM.exec(request.headers.get("cookie") ?? "") ?? [];
    if (given === "" || Number(expires) <= now) return undefined;
    return this.#proofs.holder(name, statement(name, Number(expires)), given);
  }
}
