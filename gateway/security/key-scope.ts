/**
 * The scopes of keys: `read`, `act`, `admin`. Each includes those before it. Every tool and every route names
 * the scope that it needs.
 */
import { Refused } from "../../machines/errors.ts";

/**
 * `read` allows everything except secrets; `act` allows sessions, explorations, recordings and maps; `admin`
 * allows operations and secrets.
 */
export const scopes = ["read", "act", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Whether a key with the scope `held` may do what needs the scope `needed`. */
export function covers(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}

/** The caller of a request. It has the name of its key, never the key itself. */
export interface Caller {
  readonly name: string;
  readonly scope: Scope;
}

/** The caller of every request where no key is required. It has all scopes. */
export const LOCAL: Caller = { name: "local", scope: "admin" };

/** Throws `security.scope` (403), which names the needed scope. */
export function assertScope(caller: Caller, needed: Scope, what: string): void {
  if (covers(caller.scope, needed)) return;
  throw new Refused(
    "security.scope",
    `${what} needs the scope "${needed}", and the key "${caller.name}" has "${caller.scope}". Ask with a key that has it.`,
    { status: 403, details: { needed, scope: caller.scope } },
  );
}

/** The error `security.unauthorized` (401): the request has no valid key. */
export function unauthorized(): Refused {
  return new Refused(
    "security.unauthorized",
    "This Cairn needs its key: send `Authorization: Bearer <key>`, or open a WebSocket with the `?ticket=` that POST /api/tickets gives.",
    { status: 401 },
  );
}
