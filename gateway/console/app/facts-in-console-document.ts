/** Facts about the person and this Cairn that the server writes into the console's document. */

type Scope = "read" | "act" | "admin";
const SCOPES: readonly string[] = ["read", "act", "admin"] satisfies readonly Scope[];

const { version = "", caller = "", scope = "read", token = "" } = document.body.dataset;

export const hostPage = { version, caller, scope, token };

/** Whether the person's key has at least the needed scope. */
export function may(needed: Scope): boolean {
  return SCOPES.indexOf(hostPage.scope) >= SCOPES.indexOf(needed);
}
