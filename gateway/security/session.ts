/**
 * The session of a person who looks at the pages where a key is asked for: a cookie made with the key.
 *
 * It holds the key's name, the moment it ends and a proof that somebody with the key made it, so every node with the same
 * key knows it and none keeps it; another key in its place ends all. It opens what is read (GET, and the WebSockets of
 * the pages), nothing else. Neighbours: `guard.ts` asks, `console/sign-in.ts` gives.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { limits } from "../../machines/limits.ts";
import type { NamedKey } from "./keys.ts";
import type { Caller } from "./scope.ts";

const COOKIE = "cairn_session";
const FORM = /(?:^|;\s*)cairn_session=([\w-]{1,40})\.(\d{1,15})\.([\w-]{43})(?:;|$)/;

export class Sessions {
  readonly #keys: ReadonlyMap<string, NamedKey>;

  constructor(keys: readonly NamedKey[]) {
    this.#keys = new Map(keys.map((key) => [key.name, key]));
  }

  /** The cookie of a session that begins now. `secure`: it was come by TLS. */
  cookie({ name }: Caller, now: number, secure: boolean): string {
    const expires = now + limits.console.session;
    const proof = this.#proof(name, expires)?.toString("base64url") ?? "";
    const parts = [
      `${COOKIE}=${name}.${expires}.${proof}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      `Max-Age=${Math.floor(limits.console.session / 1_000)}`,
    ];
    return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
  }

  /** Whose session a request comes with, if that has not ended. */
  callerOf(request: Request, now: number): Caller | undefined {
    const [, name = "", expires = "", given = ""] = FORM.exec(request.headers.get("cookie") ?? "") ?? [];
    if (given === "" || Number(expires) <= now) return undefined;
    const key = this.#keys.get(name);
    const proof = this.#proof(name, Number(expires));
    if (!key || !proof || !timingSafeEqual(Buffer.from(given, "base64url"), proof)) return undefined;
    return { name, scope: key.scope };
  }

  #proof(name: string, expires: number): Buffer | undefined {
    const key = this.#keys.get(name)?.key;
    if (key === undefined) return undefined;
    return createHmac("sha256", key).update(`session of ${name} until ${expires}`).digest();
  }
}
