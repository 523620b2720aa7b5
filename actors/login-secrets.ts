/** Returns the secrets that a login recipe may use. */
import type { LoginRecipe } from "../machines/session/login-recipe.ts";
import type { LoginSecrets } from "./browser/index.ts";
import type { Secrets } from "./secrets/secret-store.ts";

/** A secret without a list of hosts may only be used on the host of this login recipe. */
export function secretsFor({ url }: LoginRecipe, secrets: Secrets): LoginSecrets {
  const own = [new URL(url).host];
  return {
    reveal: (name, at) => secrets.reveal(name, at, own),
    known: (name) => secrets.has(name),
  };
}
