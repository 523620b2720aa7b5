/**
 * Signs in by a recipe (the description of a site's login): opens the page, fills and submits the fields,
 * enters a requested code, and waits for success. A secret is revealed only immediately before it is typed,
 * and only for the address of the field's document. A field that is missing is expected on a later step of
 * the login.
 */
import { setTimeout as pause } from "node:timers/promises";
import { CairnError } from "../../../../machines/errors.ts";
import { loginLimits, sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { LoginRecipe } from "../../../../machines/session/state/login-recipe.ts";
import type { BrowserProxy } from "../../chromium/launch-chromium.ts";
import { ActionFailure, isUnanswered } from "../action-error.ts";
import type { SessionResources } from "../session-logs-and-downloads.ts";
import { labelledField } from "../snapshot/find-form-field-by-label.ts";
import { messagesOf } from "../snapshot/page-changes-in-outcome.ts";
import { isStillBlank } from "../snapshot/wait-until-page-ready.ts";
import { DialogOpened } from "../tabs/browser-tab.ts";
import { Navigation } from "../tabs/navigate-tab.ts";
import { DocumentGone } from "../tabs/tab-frames.ts";
import { withoutConsentBanner } from "./answer-consent-banner.ts";
import { clickSubmitButton } from "./click-submit-button.ts";
import type { Target } from "./clickable-point.ts";
import { elementOf } from "./drag-action.ts";
import { ElementActions } from "./element-actions.ts";
import { FormActions } from "./form-actions.ts";
import { openSignInForm } from "./open-sign-in-form.ts";
import { type Data, LEFT_CLICK, type PageInput } from "./pointer-and-key-input.ts";
import { CODE_FIELDS, SignInProof } from "./proof-of-sign-in.ts";
import { withPasswordFormSentByScript } from "./retry-after-stopped-password-form.ts";
import { isSentByKeyOnly, sendByEnter } from "./send-form-by-enter.ts";
import { totpCode, totpKeyOf } from "./time-based-one-time-code.ts";

type Field = LoginRecipe["fields"][number];

/**
 * If the control that opens the login form has no effect, it is pressed again. The pause before this is
 * `nextWithin` (the time limit for the next login field), multiplied by this number.
 */
const OPENS_AGAIN_AFTER = 3;

/**
 * Returns the value of the secret `name`, to be typed into a page with the address `url`. Rejects if the
 * secret may not be used there.
 */
export type Reveal = (name: string, url: string) => Promise<string>;

/** The secrets to which a login recipe (the description of a site's login) may refer. */
export interface LoginSecrets {
  readonly reveal: Reveal;
  /** Whether a secret with this name is available to the login. */
  readonly known: (name: string) => Promise<boolean>;
}

/** The time limits of a login in milliseconds. Tests use shorter time limits. */
export type LoginDeadlines = Readonly<
  Record<
    "fieldWithin" | "nextWithin" | "successWithin" | "refusedFor" | "scriptReadyWithin" | "within",
    number
  >
>;

interface LoginContext extends LoginSecrets {
  readonly navigation: Navigation;
  readonly deadlines: LoginDeadlines;
  /** Adds a secret value to the values that the session masks in everything that it reports. */
  readonly keepSecret: (value: string) => void;
}

/**
 * Signs in. Throws `login_failed` with the error message of the page, or with the reason why a field could
 * not be filled.
 */
export async function runLogin(
  input: PageInput,
  recipe: LoginRecipe,
  {
    proxy,
    resources,
    secrets,
    deadlines = loginLimits,
  }: {
    readonly proxy: BrowserProxy | undefined;
    readonly resources: SessionResources;
    readonly secrets: LoginSecrets;
    readonly deadlines?: LoginDeadlines | undefined;
  },
): Promise<Data> {
  const { redactor, downloads } = resources;
  const navigation = new Navigation(input.tab, proxy, input.permit, downloads);
  const keepSecret = (value: string): void => redactor.add(value);
  return await new Login(input, recipe, { ...secrets, navigation, deadlines, keepSecret }).run();
}

class Login {
  readonly #input: PageInput;
  readonly #recipe: LoginRecipe;
  readonly #context: LoginContext;
  readonly #actions: ElementActions;
  readonly #forms: FormActions;
  readonly #proof: SignInProof;
  readonly #until: number;
  /** The fields of the login recipe (the description of a site's login) that were not filled yet. */
  readonly #remaining: Field[];
  /** The fields that were filled and not sent yet, with the texts that were typed. */
  #filled: { readonly field: Field; readonly target: Target; readonly text: string | undefined }[] = [];

  constructor(input: PageInput, recipe: LoginRecipe, context: LoginContext) {
    this.#input = input;
    this.#recipe = recipe;
    this.#context = context;
    this.#until = performance.now() + context.deadlines.within;
    this.#actions = new ElementActions(input);
    this.#forms = new FormActions(input, this.#actions);
    this.#remaining = [...recipe.fields];
    const isShown = async (field: Field): Promise<boolean> => (await this.#find(field)) !== undefined;
    this.#proof = new SignInProof(input.tab, recipe, isShown);
  }

  async run(): Promise<Data> {
    const { tab } = this.#input;
    const remaining = this.#remaining;
    await this.#context.navigation.open(this.#recipe.url);
    let last: Target | undefined;
    let filled = 0;
    while (remaining.length > 0) {
      const [field] = remaining;
      if (!field) break;
      const within =
        last === undefined ? this.#context.deadlines.fieldWithin : this.#context.deadlines.nextWithin;
      const target = await this.#waitForField(field, within);
      if (target) {
        const text = await withoutConsentBanner(this.#input, () => this.#fill(target, field));
        this.#filled.push({ field, target, text });
        remaining.shift();
        last = target;
        filled++;
        continue;
      }
      // When the success conditions hold before any field was filled, the user was signed in already and was
      // redirected. The login is done. At this point, the control that proves the sign-in may also be in a
      // closed menu.
      if (filled === 0 && ((await this.#isSignedInAlready()) || (await this.#proof.hasHiddenProof(field))))
        return { logged_in: true, already: true, url: tab.url };
      // The site needs no further field. For example, it requests no code from a device that it knows.
      if (!last && (await this.#hasSucceeded())) return { logged_in: true, url: tab.url };
      if (!last)
        throw await this.#failed(`${describeField(field)} did not appear`, {
          field: describeField(field),
          filled,
        });
      // The next field of the login recipe may be on the next page of the login. So the filled fields are
      // submitted to get there.
      await this.#submit(last);
      last = undefined;
    }
    const complaintBefore = await this.#complaint();
    const { navigations } = tab;
    if (last) await this.#submit(last);
    return await this.#waitForSuccess(complaintBefore, navigations);
  }

  /**
   * Waits until the login recipe's conditions for success hold, and enters a one-time code when the page
   * requests one.
   *
   * @param complaintBefore the error message that the page showed before the form was sent
   * @param navigations number of documents that the tab had shown before the form was sent
   */
  async #waitForSuccess(complaintBefore: string, navigations: number): Promise<Data> {
    const { totp_secret, fields } = this.#recipe;
    const { tab } = this.#input;
    let until = Math.min(performance.now() + this.#context.deadlines.successWithin, this.#until);
    let refusedSince: number | undefined;
    let isCodeEntered = totp_secret === undefined || fields.some(({ totp }) => totp);
    for (;;) {
      try {
        if (!tab.loading && (await this.#isProven())) return { logged_in: true, url: tab.url };
        const field = isCodeEntered ? undefined : await this.#codeField();
        if (field) {
          isCodeEntered = true;
          await this.#type(field, await this.#code(field));
          await this.#submit(field, true);
          until = Math.min(performance.now() + this.#context.deadlines.successWithin, this.#until);
        }
        const refusal = await this.#refusal(complaintBefore, navigations);
        if (refusal === undefined) refusedSince = undefined;
        else refusedSince ??= performance.now();
        if (
          refusal !== undefined &&
          refusedSince !== undefined &&
          performance.now() - refusedSince >= this.#context.deadlines.refusedFor
        )
          throw await this.#failed(refusal);
        if (tab.dialog) throw await this.#failed(`a ${tab.dialog.type} opened: ${tab.dialog.message}`);
        // The application may load its scripts and data for long after the sign-in. While it loads, only the
        // time limit of the whole login counts.
        const isLate = performance.now() >= (this.#isLoading() ? this.#until : until);
        if (isLate) throw await this.#failed(await this.#missingSuccess());
      } catch (error) {
        // A page that computes for long does not answer. After a sign-in, the pages of large applications
        // such as doccano do this, so it is no failure before the time limit of the login.
        if (!isUnanswered(error) || performance.now() >= this.#until) throw error;
      }
      await pause(sessionLimits.pollEvery);
    }
  }

  /**
   * Returns why the login counts as failed when the login recipe's conditions for success were not met in
   * time.
   */
  async #missingSuccess(): Promise<string> {
    const [first] = this.#recipe.fields;
    if (this.#proof.heldBefore && (await this.#proof.holds()))
      return "the page shows the sign of success, but it did so before the form was sent, and the form is not gone (choose a `success` for the recipe that only a signed-in user sees)";
    const why = "the sign of success did not appear";
    const refused = this.#proof.refusedRequest();
    if (refused !== undefined)
      return `${why}, and the server answered the form with the HTTP status ${refused}`;
    const isGone =
      first !== undefined &&
      !this.#input.tab.loading &&
      !(await this.#find(first)) &&
      !(await this.#proof.showsSentForm());
    // If the login form has disappeared, the login has probably succeeded. Then the condition for success in
    // the login recipe is probably wrong.
    return isGone
      ? `${why}, although the form is gone (check that \`success\` of the recipe matches what this page shows to a signed-in user, and that the values of the fields are right)`
      : why;
  }

  /** Returns how the site has refused the login; `undefined` if it has not. */
  async #refusal(complaintBefore: string, navigations: number): Promise<string | undefined> {
    const { tab } = this.#input;
    if (await this.#isAskedAgain(complaintBefore, navigations)) return "it is asked for again";
    if (tab.loading || tab.dialog) return undefined;
    if (tab.navigations === navigations) {
      const refused = (await this.#proof.showsSentForm()) ? this.#proof.refusedRequest() : undefined;
      return refused === undefined ? undefined : `the server refused it with the HTTP status ${refused}`;
    }
    const status = await this.#proof.refusalStatus((await this.#complaint()) !== "");
    return status === undefined ? undefined : `the site refused it with the HTTP status ${status}`;
  }

  /**
   * Whether the site has refused the login and asks for it again. There are two cases: a new page was loaded and
   * shows the first form of the login; or the page shows a new error message, together with the first form or the
   * form that was sent last.
   */
  async #isAskedAgain(complaintBefore: string, navigations: number): Promise<boolean> {
    const { tab } = this.#input;
    const [first] = this.#recipe.fields;
    if (!first || tab.loading || tab.dialog) return false;
    if (await this.#find(first)) {
      if (tab.navigations !== navigations) return true;
    } else if (!(await this.#proof.showsSentForm())) return false;
    const complaint = await this.#complaint();
    return complaint !== "" && complaint !== complaintBefore;
  }

  /** Fills a field. Returns the typed text, or `undefined` for a field that is not typed into. */
  async #fill(target: Target, field: Field): Promise<string | undefined> {
    if (typeof field.value === "boolean") {
      await this.#forms.fillTarget(target, field.value);
      return undefined;
    }
    const text = await this.#textFor(target, field);
    if (target.info.tag === "select") {
      await this.#forms.fillTarget(target, text);
      return undefined;
    }
    await this.#type(target, text);
    return text;
  }

  async #type(target: Target, text: string): Promise<void> {
    await this.#actions.inputInto(target, { text, clear: true });
  }

  async #textFor(target: Target, { value, secret, totp }: Field): Promise<string> {
    if (totp) return await this.#code(target);
    if (secret !== undefined) return await this.#reveal(secret, target);
    const text = String(value ?? "");
    // The text for a password field is always treated as a secret.
    if (target.info.secret) this.#context.keepSecret(text);
    return text;
  }

  async #reveal(name: string, { frame }: Target): Promise<string> {
    try {
      const value = await this.#context.reveal(name, frame.url);
      this.#context.keepSecret(value);
      return value;
    } catch (thrown) {
      if (!(thrown instanceof CairnError)) throw thrown;
      throw new ActionFailure("secret_refused", thrown.message, { ...thrown.details, cause: thrown.code });
    }
  }

  async #code(target: Target): Promise<string> {
    const { totp_secret = "" } = this.#recipe;
    const stored = /^[A-Za-z]\w*$/.test(totp_secret) && (await this.#context.known(totp_secret));
    const key = totpKeyOf(stored ? await this.#reveal(totp_secret, target) : totp_secret);
    this.#context.keepSecret(totp_secret);
    return await totpCode(key, Date.now());
  }

  /**
   * Whether the first page of the login is still being opened. An application may load its scripts and
   * redirect several times before it shows the form (OpenID Connect). It may also show nothing at all while it
   * compiles and runs its scripts. So the login waits longer for this page
   * than for a field.
   */
  async #isOpening(): Promise<boolean> {
    return this.#isFirst && (this.#isLoading() || (await isStillBlank(this.#input.tab)));
  }

  #isLoading(): boolean {
    const { tab } = this.#input;
    return tab.loading || tab.pendingRequests() > 0;
  }

  /**
   * Whether the login recipe's conditions for success hold, or the login page only offers to sign out, because the
   * user is signed in already.
   */
  async #isSignedInAlready(): Promise<boolean> {
    return (await this.#hasSucceeded()) || (this.#isFirst && (await this.#proof.offersSignOut()));
  }

  /** Whether no field was filled yet. */
  get #isFirst(): boolean {
    return this.#remaining.length === this.#recipe.fields.length;
  }

  async #waitForField(field: Field, within: number): Promise<Target | undefined> {
    let until = Math.min(performance.now() + within, this.#until);
    const { nextWithin } = this.#context.deadlines;
    let opensAt = performance.now() + nextWithin;
    let successSince: number | undefined;
    for (;;) {
      const { tab } = this.#input;
      try {
        const found = tab.loading ? undefined : await this.#find(field);
        if (found || performance.now() >= this.#until) return found;
        const isOpening = await this.#isOpening();
        if (!isOpening && performance.now() >= until) return undefined;
        // If the login recipe's conditions for success stay true for `nextWithin` milliseconds, the user is
        // signed in and the site no longer shows this field. The login then ends without it.
        if (tab.loading || !((await this.#isSignedInAlready()) || (await this.#isSentAway(field))))
          successSince = undefined;
        else successSince ??= performance.now();
        if (
          successSince !== undefined &&
          performance.now() - successSince >= this.#context.deadlines.nextWithin
        )
          return undefined;
        // While the scripts and data of the first page are loading, the field may still appear. So the time until
        // the control that opens the form is pressed begins only after that.
        if (isOpening) opensAt = performance.now() + nextWithin;
        const isMissing = this.#isFirst && successSince === undefined;
        if (isMissing && performance.now() >= opensAt) {
          await openSignInForm(this.#input);
          // The script of the page may not have been ready, so that the press had no effect (OctoPrint). So
          // the control is pressed again later.
          opensAt = performance.now() + OPENS_AGAIN_AFTER * nextWithin;
        }
      } catch (error) {
        // A page that computes for long does not answer, and may be about to show the field. So the wait for
        // the field starts again.
        if (!isUnanswered(error) || performance.now() >= this.#until) throw error;
        until = Math.min(performance.now() + within, this.#until);
      }
      await pause(sessionLimits.pollEvery);
    }
  }

  /** Finds a field of the login recipe on the current page. `undefined` if the page lacks the field. */
  async #find({ selector, label = "" }: Field): Promise<Target | undefined> {
    try {
      if (selector !== undefined) return await elementOf(this.#input, undefined, selector);
      return await labelledField(this.#input.tab, label);
    } catch (error) {
      if (error instanceof DocumentGone) return undefined;
      if (
        error instanceof ActionFailure &&
        (error.code === "element_not_found" || error.code === "element_stale")
      )
        return undefined;
      throw error;
    }
  }

  async #codeField(): Promise<Target | undefined> {
    for (const selector of CODE_FIELDS) {
      const found = await this.#find({ selector });
      if (found) return found;
    }
    return undefined;
  }

  /**
   * Submits the login form.
   *
   * @param optional whether the form may lack the submit button of the login recipe, which may belong to an
   * earlier page of the login
   */
  async #submit(last: Target, optional = false): Promise<void> {
    let target = last;
    const refill = async (): Promise<void> => {
      for (const { field } of this.#filled) {
        const found = await this.#find(field);
        if (!found) continue;
        await this.#fill(found, field);
        target = found;
      }
    };
    if (await this.#hasLostText()) await refill();
    await this.#proof.beforeSending(this.#filled);
    try {
      const send = (): Promise<void> => this.#submitOnce(target, optional);
      await withPasswordFormSentByScript(this.#input, () => withoutConsentBanner(this.#input, send), {
        limits: this.#context.deadlines,
        refill,
      });
    } catch (error) {
      if (error instanceof ActionFailure && error.data.password_form !== undefined)
        throw await this.#failed(error.message, error.data);
      throw error;
    }
    this.#filled = [];
  }

  /**
   * Whether a filled field has lost its text. The script of a page that was drawn on the server may empty the fields
   * when it becomes ready.
   */
  async #hasLostText(): Promise<boolean> {
    const { tab } = this.#input;
    for (const { target, text } of this.#filled) {
      if (text === undefined) continue;
      try {
        const holding = tab.frames.call(target.frame, "fieldValues", "holds", target.id, text, true);
        if (!(await tab.answer(holding))) return true;
      } catch (error) {
        // The page has sent the form by itself, or shows a dialog. So no text is known to be lost.
        if (error instanceof DocumentGone || error instanceof DialogOpened) return false;
        throw error;
      }
    }
    return false;
  }

  async #submitOnce(last: Target, optional: boolean): Promise<void> {
    const { tab } = this.#input;
    const { submit } = this.#recipe;
    const before = this.#input.pageState();
    const button = submit === undefined ? undefined : await this.#button(submit, last.index);
    if (button) await this.#input.click(button, LEFT_CLICK);
    else if (submit === undefined || optional) await this.#send(last);
    else throw await this.#failed("the button to send it with is not there");
    await tab.waitUntil(
      () => tab.navigations !== before.navigations || tab.loading,
      sessionLimits.submitStarts,
    );
    if (tab.loading) await tab.waitForLoad();
  }

  /**
   * Sends the form that contains a field, by its submit button or, when it has none, by a script. A field
   * outside of a form is sent by the Enter key.
   */
  async #send(field: Target): Promise<void> {
    const { tab } = this.#input;
    const { frame, id } = field;
    const { frames } = tab;
    const found = await tab.answer(frames.call(frame, "formSubmission", "find", id));
    if (!("form" in found)) {
      await this.#input.awaitPermit();
      return await this.#input.press("Enter");
    }
    if (isSentByKeyOnly(found) && (await sendByEnter(this.#input, field))) return;
    const { form, submitter } = found;
    const info =
      submitter === undefined
        ? undefined
        : await tab.answer(frames.call(frame, "actionability", "describe", submitter));
    if (submitter !== undefined && info) {
      const isClicked = await clickSubmitButton(this.#input, found, {
        index: -1,
        frame,
        id: submitter,
        info,
      });
      if (isClicked) return;
    }
    await this.#input.awaitPermit();
    await tab.answer(frames.call(frame, "formSubmission", "submit", form, submitter));
  }

  async #button(submit: NonNullable<LoginRecipe["submit"]>, lastField: number): Promise<Target | undefined> {
    const wanted = typeof submit === "string" ? submit : undefined;
    const selector =
      wanted ?? (typeof submit === "object" && "selector" in submit ? submit.selector : undefined);
    if (selector !== undefined) {
      try {
        return await elementOf(this.#input, undefined, selector);
      } catch (error) {
        // No element matches the submit text of the login recipe as a selector. The text may be the label of
        // the button, so the button is searched for by name next.
        if (!(error instanceof ActionFailure) || wanted === undefined) {
          if (error instanceof ActionFailure && error.code === "element_not_found") return undefined;
          throw error;
        }
      }
    }
    const name =
      wanted ??
      (typeof submit === "object"
        ? "label" in submit
          ? submit.label
          : "text" in submit
            ? submit.text
            : ""
        : "");
    return await this.#forms.buttonCalled(name, lastField);
  }

  /**
   * Whether the page meets the login recipe's conditions for success. If the sign-in page met them already before
   * its form was sent, they count only after all fields are filled.
   */
  async #hasSucceeded(): Promise<boolean> {
    const [first] = this.#recipe.fields;
    const isComplete = this.#remaining.length === 0;
    if (await this.#proof.holds()) return isComplete || !this.#proof.heldBefore;
    // Many pages have the control with the text for success, such as "Sign out", in a closed menu. So a hidden
    // link or button with this text also shows success, if all fields were filled and the login form is gone.
    return isComplete && first !== undefined && (await this.#proof.hasHiddenProof(first));
  }

  /** Whether the login has succeeded after all fields were sent. */
  async #isProven(): Promise<boolean> {
    return (
      (await this.#hasSucceeded()) && (await this.#proof.isConfirmed(this.#context.deadlines.nextWithin))
    );
  }

  /**
   * Whether the login recipe's page has redirected to another page, which contains a hidden control with the text
   * for success. Before any field is filled, such a control alone does not prove that the user is signed in. The
   * redirect shows that no login form will appear.
   */
  async #isSentAway(first: Field): Promise<boolean> {
    const path = (url: string) => URL.parse(url)?.pathname.replace(/\/$/, "");
    return (
      this.#isFirst &&
      path(this.#input.tab.url) !== path(this.#recipe.url) &&
      (await this.#proof.hasHiddenProof(first))
    );
  }

  async #failed(why: string, data: Data = {}): Promise<ActionFailure> {
    const { tab } = this.#input;
    const complaint = await this.#complaint();
    const says = complaint === "" ? "" : ` The page says: ${complaint}`;
    return new ActionFailure("login_failed", `The login did not work: ${why}, at ${tab.url}.${says}`, {
      url: tab.url,
      ...(complaint === "" ? {} : { complaint }),
      ...data,
    });
  }

  /**
   * Returns the error messages of the page. A page that is navigating or shows a dialog cannot be read, and
   * counts as a page without an error message.
   */
  async #complaint(): Promise<string> {
    const messages = (await messagesOf(this.#input.tab)) ?? [];
    const alerts = messages.filter(({ isAlert }) => isAlert).map(({ text }) => text);
    return alerts.join(" ").slice(0, loginLimits.complaint);
  }
}

function describeField({ selector, label }: Field): string {
  return label === undefined ? `the field ${selector}` : `the field "${label}"`;
}
