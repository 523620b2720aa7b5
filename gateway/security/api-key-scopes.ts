/**
 * The scopes of keys: `read`, `act`, `admin`. Each scope includes the scopes before it. Every tool and every
 * route names the scope that it needs.
 */
import { Refused } from "../../machines/errors.ts";

/**
 * `read` allows everything except secrets; `act` allows sessions, explorations, recordings and maps; `admin`
 * allows operations and secrets.
 */
export const scopes = ["read", "act", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Whether a key with the scope `held` may make a call that needs the scope `needed`. */
export function covers(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}

/** The caller of a request. `name` is the name of the caller's key. The key itself is never stored here. */
export interface Caller {
  readonly name: string;
  readonly scope: Scope;
}

/** The caller that every request has if no keys are configured. It has all scopes. */
export const LOCAL: Caller = { name: "local", scope: "admin" };

/**
 * Throws `security.scope` (403) if the caller's scope does not include the needed scope. The error names the
 * needed scope.
 */
export function assertScope(caller: Caller, needed: Scope, what: string): void {
  if (covers(caller.scope, needed)) return;
  throw new Refused(
    "security.scope",
    `${what} needs the scope "${needed}", and the key "${caller.name}" has "${caller.scope}". Ask with a key that has it.`,
    { status: 403, details: { needed, scope: caller.scope } },
  );
}

/** Returns the error `security.unauthorized` (401) for a request without a valid key. */
export function unauthorized(): Refused {
  return new Refused(
    "security.unauthorized",
    "This Cairn needs its key: send `Authorization: Bearer <key>`, or open a WebSocket with the `?ticket=` that POST /api/tickets gives.",
    { status: 401 },
  );
}
