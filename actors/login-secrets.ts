/** The secrets that a login recipe may use. */
import type { LoginRecipe } from "../machines/session/login-recipe.ts";
import type { LoginSecrets } from "./browser/index.ts";
import type { Secrets } from "./secrets/secret-store.ts";

/** A secret without hosts may be used only on the host of the login recipe. */
export function secretsFor({ url }: LoginRecipe, secrets: Secrets): LoginSecrets {
  const own = [new URL(url).host];
  return {
    reveal: (name, at) => secrets.reveal(name, at, own),
    known: (name) => secrets.has(name),
  };
}
