/**
 * Keeps the browser from sending a form with a password by GET, because the password would become part of the
 * address. A page usually sends such a form by a script, which may not have added its listener yet.
 */
import { registry } from "./element-registry.ts";
import { STOPPED_BINDING, type StoppedSending } from "./stopped-password-form-report.ts";
import { unsavedInput } from "./unsaved-input.ts";

export interface PasswordFormGuard {
  /**
   * Returns the form that was stopped since the last call, and forgets it. Returns `undefined` if no form was
   * stopped, even if an address with the password was stopped.
   */
  take(): StoppedForm | undefined;
}

export interface StoppedForm {
  readonly form: HTMLFormElement;
  readonly submitter: HTMLElement | null;
  /** The typed texts of the form's fields at the time when it was stopped. */
  readonly texts: ReadonlyMap<HTMLInputElement | HTMLTextAreaElement, string>;
  /** The element that had the focus when the form was stopped. */
  readonly focused: Element | undefined;
}

/**
 * Minimum length of a password that is searched for in addresses. A shorter password may equal an ordinary
 * parameter.
 */
const MIN_LENGTH = 4;

let stopped: StoppedForm | undefined;

const report = (what: StoppedSending): void => {
  const binding: unknown = Reflect.get(globalThis, STOPPED_BINDING);
  if (typeof binding === "function") binding(what);
};

const isTextField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement &&
    !/^(hidden|submit|button|reset|image|file|checkbox|radio|range|color)$/.test(element.type));

/**
 * Whether the browser itself would send the form by GET to a web address. Attributes are read instead of the
 * form's properties, because a field with the name `action` hides the property `action`.
 */
const isSentByGet = (form: HTMLFormElement, submitter: HTMLElement | null): boolean => {
  const read = (name: string): string | null =>
    submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  if (/^(post|dialog)$/i.test(read("method") ?? "")) return false;
  const address = URL.parse(read("action") ?? "", document.baseURI);
  return address === null || /^https?:$/.test(address.protocol);
};

const typedSecret = (field: Element): boolean =>
  isTextField(field) && field.value !== "" && registry.isSecret(field);

/**
 * Runs after all other listeners of the page, because one of them may prevent the browser from sending the
 * form.
 */
const stop = (event: SubmitEvent): void => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  const fields = [...form.elements];
  if (!fields.some(typedSecret) || !isSentByGet(form, submitter)) return;
  event.preventDefault();
  const texts = fields.filter(isTextField).flatMap((field) => {
    return field.value === "" ? [] : [[field, field.value] as const];
  });
  stopped = { form, submitter, texts: new Map(texts), focused: registry.focused() };
  report("form");
};
// The listener is added again for each event, so that it is the last one of the window.
addEventListener(
  "submit",
  () => {
    removeEventListener("submit", stop);
    addEventListener("submit", stop);
  },
  true,
);

// A script may also open an address with the password, for example by `form.submit()`, which has no submit event.
globalThis.navigation?.addEventListener("navigate", (event) => {
  const { cancelable, destination } = event;
  if (!cancelable || destination.sameDocument) return;
  const parameters = [...(URL.parse(destination.url)?.searchParams ?? [])];
  if (parameters.length === 0) return;
  const typed = unsavedInput.fields().filter(isTextField);
  const [secrets, others] = [typed.filter(registry.isSecret), typed.filter((one) => !registry.isSecret(one))];
  // If the user name and the password are the same text, this text counts as the password only in the
  // parameter of the password field.
  const isPassword = (field: HTMLInputElement | HTMLTextAreaElement, name: string): boolean =>
    name === field.name || !others.some(({ value }) => value === field.value);
  const isInAddress = secrets.some(
    (field) =>
      field.value.length >= MIN_LENGTH &&
      parameters.some(([name, value]) => value === field.value && isPassword(field, name)),
  );
  if (!isInAddress) return;
  event.preventDefault();
  report("address");
});

export const passwordForms: PasswordFormGuard = {
  take() {
    const form = stopped;
    stopped = undefined;
    return form;
  },
};
