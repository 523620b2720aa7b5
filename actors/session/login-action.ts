/**
 * Signing in as an act: by the recipe that comes with it, or by the one of the session's start.
 *
 * A recipe comes sealed, since acts are stored before they are done. Neighbours: `desk.ts` seals, `surroundings.ts`
 * has the session's own.
 */

import { type ActionOutcome, failedAct } from "../../machines/session/action-outcome.ts";
import type { Action } from "../../machines/session/actions.ts";
import type { LoginRecipe } from "../../machines/session/login-recipe.ts";
import type { BrowserSession, Permit } from "../browser/index.ts";
import type { EffectScope } from "../runtime/index.ts";
import type { CairnServices } from "../services.ts";
import { secretsFor } from "./resolve-environment.ts";

/** Of their starts. */
const recipes = new WeakMap<BrowserSession, LoginRecipe>();

/** By which it can sign in again. */
export function keepRecipe(browser: BrowserSession, recipe: LoginRecipe): void {
  recipes.set(browser, recipe);
}

type LoginAction = Extract<Action, { name: "login" }>;

/** What a sealed recipe of an act belongs to. */
export function recipeOf(room: string): string {
  return `login/${room}`;
}

export async function loginAct(
  browser: BrowserSession,
  { params }: LoginAction,
  { scope, permit }: { readonly scope: EffectScope<CairnServices>; readonly permit: Permit },
): Promise<ActionOutcome> {
  const { address, services } = scope;
  const { secrets } = services.sessions;
  const { sealed } = params as { readonly sealed?: string }; // As the desk sent it.
  const recipe =
    sealed === undefined
      ? recipes.get(browser)
      : (JSON.parse(await (await secrets.vault).open(sealed, recipeOf(address.id))) as LoginRecipe);
  if (!recipe) {
    return failedAct(
      "invalid_params",
      "The session was started without a login: give its recipe with the action, or with start_browser_session.",
    );
  }
  return await browser.login(recipe, secretsFor(recipe, secrets), permit);
}
