/**
 * The action `login`: signs in with the login recipe in its parameters, or else with the recipe that the
 * session was started with.
 */
import { type ActionOutcome, failedAction } from "../../machines/session/actions/action-outcome.ts";
import type { Action } from "../../machines/session/actions/browser-action-parameters.ts";
import type { LoginRecipe } from "../../machines/session/state/login-recipe.ts";
import type { BrowserSession, Permit } from "../browser/index.ts";
import { secretsFor } from "../login-recipe-encryption-and-secrets.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../worker-services.ts";

/** For each session, the login recipe that it was started with. */
const recipes = new WeakMap<BrowserSession, LoginRecipe>();

/** Stores the login recipe of a session's start for later `login` actions. */
export function keepRecipe(browser: BrowserSession, recipe: LoginRecipe): void {
  recipes.set(browser, recipe);
}

type LoginAction = Extract<Action, { name: "login" }>;

/**
 * Returns the purpose under which the login recipe of a room is encrypted. Decryption needs the same purpose.
 */
export function loginPurpose(room: string): string {
  return `login/${room}`;
}

export async function loginAction(
  browser: BrowserSession,
  { params }: LoginAction,
  { scope, permit }: { readonly scope: EffectScope<CairnServices>; readonly permit: Permit },
): Promise<ActionOutcome> {
  const { address, services } = scope;
  const { secrets } = services.sessions;
  // `encrypt-action-secrets.ts` has encrypted the parameters into the field `sealed`, so the cast is safe.
  const { sealed } = params as { readonly sealed?: string };
  const recipe =
    sealed === undefined
      ? recipes.get(browser)
      : (JSON.parse(await (await secrets.vault).open(sealed, loginPurpose(address.id))) as LoginRecipe);
  if (!recipe) {
    return failedAction(
      "invalid_params",
      "The session was started without a login: give its recipe with the action, or with start_browser_session.",
    );
  }
  return await browser.login(recipe, secretsFor(recipe, secrets), permit);
}
