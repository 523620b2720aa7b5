/** Encrypts login recipes of jobs, and returns the secrets that a login recipe may use. */
import type { LoginRecipe } from "../machines/session/state/login-recipe.ts";
import type { LoginSecrets } from "./browser/index.ts";
import type { Secrets } from "./secrets/secret-store.ts";

/**
 * Returns the secrets that a login recipe may use. A secret without a list of hosts may only be used on the
 * host of this recipe.
 */
export function secretsFor({ url }: LoginRecipe, secrets: Secrets): LoginSecrets {
  const own = [new URL(url).host];
  return {
    reveal: (name, at) => secrets.reveal(name, at, own),
    known: (name) => secrets.has(name),
  };
}

/**
 * Encrypts the login recipe of a job for `purpose`. The digest shows whether a repeated request for the same
 * job has the same login.
 */
export async function encryptLogin(
  login: LoginRecipe,
  jobId: string,
  purpose: string,
  secrets: Secrets,
): Promise<{ readonly login: string; readonly login_digest: string }> {
  const text = JSON.stringify(login);
  const vault = await secrets.vault;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${jobId}\n${text}`));
  return {
    login: await vault.seal(text, purpose),
    login_digest: Buffer.from(bytes).toString("base64url"),
  };
}
