/**
 * The session of a person who looks at the pages where a key is asked for: a cookie made with the key.
 *
 * It holds the moment it ends and a proof that somebody with the key made it, so every node with the same key knows
 * it and none keeps it; another key ends all. It opens what is read (GET, and the WebSockets of the pages), nothing
 * else. Neighbours: `guard.ts` asks, `console/sign-in.ts` gives.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { limits } from "../../machines/limits.ts";

const COOKIE = "cairn_session";

export class Sessions {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** The cookie of a session that begins now. `secure`: it was come by TLS. */
  cookie(now: number, secure: boolean): string {
    const expires = now + limits.console.session;
    const parts = [
      `${COOKIE}=${expires}.${this.#proof(expires).toString("base64url")}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      `Max-Age=${Math.floor(limits.console.session / 1_000)}`,
    ];
    return [...parts, ...(secure ? ["Secure"] : [])].join("; ");
  }

  /** Does a request come with a session that has not ended? */
  isOpen(request: Request, now: number): boolean {
    const cookies = request.headers.get("cookie") ?? "";
    const [, expires = "", proof = ""] =
      /(?:^|;\s*)cairn_session=(\d{1,15})\.([\w-]{43})(?:;|$)/.exec(cookies) ?? [];
    if (proof === "" || Number(expires) <= now) return false;
    return timingSafeEqual(Buffer.from(proof, "base64url"), this.#proof(Number(expires)));
  }

  #proof(expires: number): Buffer {
    return createHmac("sha256", this.#key).update(`session until ${expires}`).digest();
  }
}
