/** Signs a browser session in for a job, and detects when the sign-in has expired. */
import { Refused } from "../../machines/errors.ts";
import { urlKey } from "../../machines/exploration/crawl/normalise-url.ts";
import type { WriteGuard } from "../../machines/exploration/press/write-request-guard.ts";
import type { AnalysisData } from "../../machines/session/page/page-snapshot.ts";
import type { LoginRecipe } from "../../machines/session/state/login-recipe.ts";
import type { BrowserSession } from "../browser/index.ts";
import { secretsFor } from "../login-recipe-encryption-and-secrets.ts";
import type { CairnServices } from "../worker-services.ts";

export class SignedIn {
  readonly #recipe: LoginRecipe;
  readonly #services: CairnServices;
  /** Whether the login recipe (the description of the site's login) has signed a session in before. */
  #hasWorked: boolean;
  /**
   * The last page that resembled a sign-in page. If the session turns out to be signed in, the page is added to
   * `#harmless`.
   */
  #suspected: string | undefined;
  /**
   * The pages that resemble a sign-in page but are none, such as the settings of a mail server with a user
   * name and a password.
   */
  readonly #harmless = new Set<string>();

  private constructor(recipe: LoginRecipe, services: CairnServices, hasWorked: boolean) {
    this.#recipe = recipe;
    this.#services = services;
    this.#hasWorked = hasWorked;
  }

  /** Signs in with the login recipe of a job. Returns `undefined` for a job without a login. */
  static async open(
    purpose: string,
    sealed: string | undefined,
    services: CairnServices,
    { hasWorked = false }: { readonly hasWorked?: boolean } = {},
  ): Promise<SignedIn | undefined> {
    if (sealed === undefined) return undefined;
    const vault = await services.sessions.secrets.vault;
    // The gateway validated the login recipe before it encrypted it, so the cast is safe.
    const recipe = JSON.parse(await vault.open(sealed, purpose)) as LoginRecipe;
    return new SignedIn(recipe, services, hasWorked);
  }

  /**
   * Signs the session in. Rejects with `exploration.login_failed`. A recipe that has worked before is tried
   * twice, because the script of a sign-in page may disturb the first attempt. For example, that of WordPress
   * moves the focus 0.2 s after the load, while the fields are filled in.
   */
  async signIn(session: BrowserSession, guard: WriteGuard): Promise<void> {
    const secrets = secretsFor(this.#recipe, this.#services.sessions.secrets);
    guard.open = true;
    try {
      let outcome = await session.login(this.#recipe, secrets, async () => {});
      if (!outcome.success && this.#hasWorked)
        outcome = await session.login(this.#recipe, secrets, async () => {});
      if (outcome.success) {
        this.#hasWorked = true;
        if (outcome.data?.already === true && this.#suspected !== undefined)
          this.#harmless.add(this.#suspected);
        this.#suspected = undefined;
        return;
      }
      throw new Refused("exploration.login_failed", outcome.error ?? "The login did not work.", {
        status: 409,
      });
    } finally {
      guard.open = false;
    }
  }

  /**
   * Whether the page resembles a sign-in page, so that the sign-in of the session has probably expired. If
   * `signIn` then finds the session still signed in, the page no longer counts as a sign-in page.
   */
  isSignedOut(page: Pick<AnalysisData, "url" | "highlightedElements">): boolean {
    const key = urlKey(page.url);
    if (this.#harmless.has(key) || !this.#resemblesSignIn(page)) return false;
    this.#suspected = key;
    return true;
  }

  #resemblesSignIn({ url, highlightedElements }: Pick<AnalysisData, "url" | "highlightedElements">): boolean {
    const asks = highlightedElements.some(
      ({ type, tagName }) => tagName.toLowerCase() === "input" && type === "password",
    );
    if (!asks) return false;
    const login = this.#recipe.url;
    if (urlKey(url.split("?")[0] ?? url) === urlKey(login.split("?")[0] ?? login)) return true;
    // Only the login page shows all fields of the login recipe. A page for a new password also has password
    // fields, but lacks other fields of the recipe.
    return this.#recipe.fields.every(({ label, selector }) =>
      highlightedElements.some(
        (element) =>
          (label !== undefined &&
            [element.labelText, element.ariaLabel, element.placeholder].some(
              (name) => name?.toLowerCase().includes(label.toLowerCase()) === true,
            )) ||
          (selector !== undefined && isNamedIn(selector, element.attributes)),
      ),
    );
  }
}

/**
 * Whether a CSS selector contains the id or the `name` attribute of an element.
 * @param selector the selector of a field in the login recipe
 */
function isNamedIn(selector: string, { id, name }: Readonly<Record<string, string>>): boolean {
  return (id !== undefined && selector.includes(id)) || (name !== undefined && selector.includes(name));
}
