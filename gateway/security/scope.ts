/**
 * What a key may do: look, act, or run Cairn itself. Each scope holds those before it.
 *
 * Every tool names the one it needs (`../tools/registry.ts`), and every route (`routes.ts`).
 */
import { Refused } from "../../machines/errors.ts";

/** read: look at everything but secrets. act: sessions, explorations, recordings, maps. admin: Cairn itself. */
export const scopes = ["read", "act", "admin"] as const;
export type Scope = (typeof scopes)[number];

/** Whether who holds one scope has the other with it. */
export function covers(held: Scope, needed: Scope): boolean {
  return scopes.indexOf(held) >= scopes.indexOf(needed);
}

/** Who asks: the name of a key, never the key. */
export interface Caller {
  readonly name: string;
  readonly scope: Scope;
}

/** Who asks where no key is asked for: whoever can reach this Cairn may do everything. */
export const LOCAL: Caller = { name: "local", scope: "admin" };

/** Throws `security.scope` (403), which names the scope that is needed. */
export function assertScope(caller: Caller, needed: Scope, what: string): void {
  if (covers(caller.scope, needed)) return;
  throw new Refused(
    "security.scope",
    `${what} needs the scope "${needed}", and the key "${caller.name}" has "${caller.scope}". Ask with a key that has it.`,
    { status: 403, details: { needed, scope: caller.scope } },
  );
}

/** `security.unauthorized` (401): nobody knows who asks. */
export function unauthorized(): Refused {
  return new Refused(
    "security.unauthorized",
    "This Cairn needs its key: send `Authorization: Bearer <key>`, or open a WebSocket with the `?ticket=` that POST /api/tickets gives.",
    { status: 401 },
  );
}
