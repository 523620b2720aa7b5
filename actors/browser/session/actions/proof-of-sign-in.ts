/**
 * Finds out whether a page proves that a login has succeeded or was refused. A condition for success that the
 * sign-in page meets before the form is sent proves nothing by itself.
 */
import { urlKey } from "../../../../machines/exploration/crawl/normalise-url.ts";
import { riskOfName } from "../../../../machines/risk/risk-classes.ts";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { LoginRecipe } from "../../../../machines/session/state/login-recipe.ts";
import { addressContains } from "../../../../machines/session/state/secret-host-match.ts";
import type { AwaitedRequest } from "../journal/pending-requests-of-page.ts";
import { arrivalOf } from "../snapshot/page-changes-in-outcome.ts";
import { DialogOpened, type Tab } from "../tabs/browser-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import { hasHiddenControl } from "./hidden-control-by-name.ts";
import { FIRST_ERROR_STATUS, writesOfForm } from "./verify-form-acceptance.ts";
import { isOnPage } from "./wait-action.ts";

type Field = LoginRecipe["fields"][number];

/** HTTP statuses of pages that refuse a login: Unauthorized and Forbidden (RFC 9110). */
const REFUSED_STATUSES: ReadonlySet<number | undefined> = new Set([401, 403]);

/** Matches the names of links and buttons that lead to a sign-in, in the languages whose words Cairn knows. */
export const SIGN_IN_NAME = String.raw`\b(?:(?:sign|log)[\s-]?(?:in|on)|anmelden|einloggen|connexion|se connecter|accedi|iniciar sesi[oó]n)\b`;

/**
 * Maximum number of characters in the name of a control that signs out, such as "Log out Ada Byron". Longer
 * texts are sentences.
 */
const SIGN_OUT_NAME_LENGTH = 40;

/** Selectors of fields that are only for one-time codes. */
const ONE_TIME_CODE_FIELDS = [
  'input[autocomplete~="one-time-code" i]',
  'input:is([name*="otp" i], [id*="otp" i], [name*="2fa" i], [id*="2fa" i], [name*="mfa" i], [id*="mfa" i])',
];

/** Selectors of fields for one-time codes, the most specific first. */
export const CODE_FIELDS = [
  ...ONE_TIME_CODE_FIELDS,
  'input:is([name*="code" i], [id*="code" i], [name*="token" i], [id*="token" i]):not([type="hidden" i])',
];

/**
 * Whether a pending request may be the one that signs in, so that its answer is not known yet. A request that
 * only reads may be a long poll, so it counts for a shorter time. A request that was sent long after the form
 * had disappeared does not count.
 */
const mayBeSignIn = (
  { write, startedAt }: AwaitedRequest,
  formGoneAt: number = Number.POSITIVE_INFINITY,
): boolean => {
  const { requestWithin, responsesWithin } = sessionLimits;
  if (startedAt > formGoneAt + requestWithin) return false;
  return performance.now() - startedAt < (write ? responsesWithin : requestWithin);
};

/** A field that was filled, with its text if it was typed. */
interface FilledField {
  readonly field: Field;
  readonly text: string | undefined;
}

export class SignInProof {
  readonly #tab: Tab;
  readonly #recipe: LoginRecipe;
  /** Whether the page shows a field of the login recipe (the description of a site's login). */
  readonly #isShown: (field: Field) => Promise<boolean>;
  #heldBefore = false;
  /**
   * Number of the tab's navigations at the time when the last form was sent. Set only if the page with this form
   * contained a hidden control with the recipe's text for success, such as "Sign out". While the number stays the
   * same, the tab still shows that page.
   */
  #navigationsOfHidden: number | undefined;
  /** Whether the page from which the last form was sent showed a control for signing in. */
  #offeredSignIn = false;
  /** The fields of the form that was sent last. */
  #sent: readonly FilledField[] = [];
  /** Number of the login's write requests that were answered before the last form was sent. */
  #writes = 0;
  /**
   * Time (`performance.now()`) since which the form is gone. It is measured only if the recipe's conditions
   * for success were already met before the form was sent.
   */
  #goneSince: number | undefined;
  /** Time (`performance.now()`) at which the page was first seen without the form. Requests may be pending then. */
  #formGoneAt: number | undefined;

  constructor(tab: Tab, recipe: LoginRecipe, isShown: (field: Field) => Promise<boolean>) {
    this.#tab = tab;
    this.#recipe = recipe;
    this.#isShown = isShown;
  }

  /**
   * Whether the page already met the login recipe's conditions for success before the sign-in form was sent.
   */
  get heldBefore(): boolean {
    return this.#heldBefore;
  }

  /** Whether all conditions of the login recipe for a successful login are met: address, text and element. */
  async holds(): Promise<boolean> {
    const { text, url, selector } = this.#recipe.success;
    if (url !== undefined && !addressContains(this.#tab.url, url)) return false;
    return (text === undefined && selector === undefined) || (await isOnPage(this.#tab, selector, text));
  }

  /**
   * Whether the page proves by a link or button that the user is signed in. This control has the login recipe's
   * text for success, such as "Sign out", and may be hidden. The page must also meet the recipe's other
   * conditions, and must not show the given field.
   */
  async hasHiddenProof(field: Field): Promise<boolean> {
    const { text, url, selector } = this.#recipe.success;
    if (text === undefined || (url !== undefined && !addressContains(this.#tab.url, url))) return false;
    if (selector !== undefined && !(await isOnPage(this.#tab, selector, undefined))) return false;
    // Some applications, such as OctoPrint, send the control that proves success ("Sign out") to all visitors, and
    // hide it from those who are not signed in. There, the login is proven only if the page has shown a control for
    // signing in before, and shows none now.
    if (this.#hadHiddenControl && !this.#offeredSignIn) return false;
    if ((this.#hadHiddenControl || this.#sent.length === 0) && (await this.#offersSignIn(true))) return false;
    return (await hasHiddenControl(this.#tab, text)) && !(await this.#isShown(field));
  }

  /**
   * Whether the page at the login recipe's address shows a control that signs out and no sign-in form, because the
   * user is signed in already. Directus ("Continue", "Sign Out") and Moodle ("Cancel", "Log out") show such a
   * page: they do not redirect the user, and this page does not meet the recipe's conditions for success.
   */
  async offersSignOut(): Promise<boolean> {
    if (urlKey(this.#tab.url.split("?")[0] ?? "") !== urlKey(this.#recipe.url.split("?")[0] ?? ""))
      return false;
    const names = await this.#namesOfControls();
    const signsOut = names.some(
      (name) => name.length <= SIGN_OUT_NAME_LENGTH && riskOfName(name) === "logout",
    );
    if (!signsOut || (await this.#offersSignIn(true))) return false;
    return !(await this.#isAnyShown([
      ...this.#recipe.fields,
      ...CODE_FIELDS.map((selector) => ({ selector })),
    ]));
  }

  /**
   * Whether the tab still shows the page from which the last form was sent, and this page had a hidden
   * control with the recipe's text for success.
   */
  get #hadHiddenControl(): boolean {
    return this.#navigationsOfHidden === this.#tab.navigations;
  }

  /**
   * Must be called before a form is sent. Records whether the page already meets the login recipe's
   * conditions for success while it shows the form.
   */
  async beforeSending(filled: readonly FilledField[]): Promise<void> {
    const { requests, targetId } = this.#tab;
    if (filled.length > 0) {
      this.#sent = filled;
      this.#writes = requests.writesOfAction(targetId).length;
    }
    try {
      const { text } = this.#recipe.success;
      if (text !== undefined && (await hasHiddenControl(this.#tab, text))) {
        this.#navigationsOfHidden = this.#tab.navigations;
        this.#offeredSignIn = await this.#offersSignIn(true);
      }
      if (this.#heldBefore) return;
      this.#heldBefore = (await this.holds()) && (await this.#isAnyShown(filled.map(({ field }) => field)));
    } catch (error) {
      // The page has sent the form by itself, or shows a dialog. So it did not meet the conditions while it
      // showed the form.
      if (!(error instanceof DocumentGone || error instanceof DialogOpened)) throw error;
    }
  }

  /**
   * Whether a page that meets the recipe's conditions for success proves the login. If the page met them
   * already before the form was sent, or contained the proof in a hidden control, the form must be gone and
   * the page must not refuse the login.
   *
   * @param goneFor time in milliseconds for which the form must be gone, because a page may hide its form
   * while it waits for the answer
   */
  async isConfirmed(goneFor: number): Promise<boolean> {
    if (!this.#heldBefore && !this.#hadHiddenControl) return true;
    const { requests, targetId } = this.#tab;
    const codes = ONE_TIME_CODE_FIELDS.map((selector) => ({ selector }));
    const isShown = await this.#isAnyShown([...this.#recipe.fields, ...codes]);
    if (isShown) this.#formGoneAt = undefined;
    else this.#formGoneAt ??= performance.now();
    const formGoneAt = this.#formGoneAt;
    const isGone =
      !isShown &&
      !requests.pendingOfAction(targetId).some((request) => mayBeSignIn(request, formGoneAt)) &&
      (await this.refusalStatus(true)) === undefined;
    if (!isGone) {
      this.#goneSince = undefined;
      return false;
    }
    this.#goneSince ??= performance.now();
    return performance.now() - this.#goneSince >= goneFor;
  }

  /** Whether the page shows a field of the form that was sent last. */
  async showsSentForm(): Promise<boolean> {
    return await this.#isAnyShown(this.#sent.map(({ field }) => field));
  }

  /**
   * Returns the HTTP status with which the server has refused a form that a script sent. The status is needed
   * because some pages, such as those of Gradio, show the refusal as plain text that is not marked as a
   * message.
   */
  refusedRequest(): number | undefined {
    const texts = this.#sent.flatMap(({ text }) => (text === undefined ? [] : [text]));
    const answers = writesOfForm(this.#tab, { found: { texts }, writes: this.#writes });
    const isRefused = answers.every(({ status }) => status >= FIRST_ERROR_STATUS);
    return isRefused ? answers.at(-1)?.status : undefined;
  }

  /**
   * Returns the HTTP status by which the document on the page refuses the login.
   *
   * @param isRefusal whether the page shows an error message. If it shows none, the status counts only if the
   * page shows a control for signing in.
   */
  async refusalStatus(isRefusal: boolean): Promise<number | undefined> {
    const { http_status } = await arrivalOf(this.#tab);
    if (!REFUSED_STATUSES.has(http_status)) return undefined;
    return isRefusal || (await this.#offersSignIn()) ? http_status : undefined;
  }

  /**
   * Whether the page shows a link or a button that leads to a sign-in.
   *
   * @param isWhole whether the whole name of the control must be a name such as "Sign in"
   */
  async #offersSignIn(isWhole = false): Promise<boolean> {
    const name = new RegExp(isWhole ? String.raw`^\s*${SIGN_IN_NAME}\s*$` : SIGN_IN_NAME, "i");
    return (await this.#namesOfControls()).some((control) => name.test(control));
  }

  /** Returns the names of the visible links and buttons. A link may lack an address, as in Directus. */
  async #namesOfControls(): Promise<string[]> {
    const { frames } = this.#tab;
    const script = `[...document.querySelectorAll("a, button, [role=button], input[type=submit]")]
      .filter((element) => element.checkVisibility())
      .map((element) => element.innerText || element.value || element.getAttribute("aria-label") || "")`;
    try {
      const names: unknown = await this.#tab.answer(frames.evaluate(frames.main, script));
      return Array.isArray(names) ? names.map(String) : [];
    } catch (error) {
      if (error instanceof DocumentGone) return [];
      throw error;
    }
  }

  async #isAnyShown(fields: readonly Field[]): Promise<boolean> {
    for (const field of fields) if (await this.#isShown(field)) return true;
    return false;
  }
}
