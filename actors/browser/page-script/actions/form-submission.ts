/** Finds forms, submits and resets them, and reports the result. */

import {
  type AroundField,
  nameOfGroup,
} from "../../../../machines/session/controls/field-names-in-groups.ts";
import type { Obstacle } from "../actionability/same-element-check.ts";
import { passwordForms, registry } from "../page-script-document-state.ts";
import { deepElements, shorten, VISIBLE } from "../shadow-dom.ts";
import { describer, geometry, identity } from "../world-bundle-modules-for-actions-bundle.ts";

export interface RefusedField {
  readonly name: string;
  readonly label: string;
  /** The validation message of the browser or of the page. */
  readonly message: string;
}

export interface FormFound {
  readonly form: number;
  /** Number by which the page script finds the form's visible submit button; absent when there is none. */
  readonly submitter?: number;
  /** The visible submit button of a form whose visible submit buttons are all disabled. */
  readonly disabledSubmitter?: number;
  /** The fields that fail the validation of the browser, or that the page marks as invalid. */
  readonly refusedFields: readonly RefusedField[];
  /**
   * Whether only the keyboard reaches the submit button, because the page has clipped it away or moved it off
   * the page.
   */
  readonly isSubmitterUnseen: boolean;
  readonly resetter?: number;
  readonly name: string;
  /** The names of the form's fields. */
  readonly fields: readonly string[];
  /** The values of the form's visible fields as one text, for comparison; without passwords and files. */
  readonly values: string;
  /** The texts that the form's visible text fields contain, such as those that were typed. */
  readonly texts: readonly string[];
  /** The visible texts of the form, for comparison with those of the form that the server shows again. */
  readonly lines: readonly string[];
  /** Whether the value of a visible field differs from the value with which the document was loaded. */
  readonly isAltered: boolean;
  /**
   * True if the browser itself would send the form as a GET request. When a script of the page sends the
   * form, the method may differ.
   */
  readonly isGet: boolean;
  /** Whether the form has a field with a password that was typed. */
  readonly holdsPassword: boolean;
  /** Whether the form is a search. A search changes no data when it is submitted. */
  readonly isSearch: boolean;
}

/** A form that the page shows after a form with the same fields was sent. */
export interface ShownForm {
  /** The values of the form's visible fields as one text, as in `FormFound.values`. */
  readonly values: string;
  /** The visible texts of the form, as in `FormFound.lines`. */
  readonly lines: readonly string[];
  /** Fields that the page marks as invalid. */
  readonly marked: readonly RefusedField[];
  /** Whether the server has redirected the browser to this document, as it does after it has saved a form. */
  readonly isRedirected: boolean;
}

export interface FormOutcome {
  readonly alive: boolean;
  readonly submitted: boolean;
  /** Whether a script of the page submits the form, instead of the browser itself. */
  readonly prevented: boolean;
  readonly reset: boolean;
  /** Fields that prevent the browser from submitting the form, because their values are invalid. */
  readonly invalid: readonly RefusedField[];
  /** Fields that the page itself marks as invalid, for example by `aria-invalid`. */
  readonly marked: readonly RefusedField[];
  /** The visible texts of the form, as in `FormFound.lines`. */
  readonly lines: readonly string[];
}

/** A form with a password that Cairn has stopped, because the browser would have sent it by GET. */
export interface StoppedPasswordForm {
  /** The fields and the texts that were typed into them. The field that had the focus is the last one. */
  readonly fields: readonly { readonly id: number; readonly text: string }[];
}

export interface FormSubmission {
  /**
   * Returns the form that contains an element. Without an element, returns the form that has the focus, or
   * else the only visible form.
   */
  find(id: number | null): FormFound | Obstacle | { readonly forms: readonly string[] };
  /** Returns the visible form with fields of the given names; `null` if the document shows none. */
  shownAgain(fields: readonly string[]): ShownForm | null;
  /** Starts to record the events of the form, such as its submission, for the result of `outcome`. */
  watch(form: number): void;
  /**
   * Submits a form that has no visible submit button, by a script. If `submitter` is given, it is a submit button
   * that no pointer can reach. The script then clicks it, as the browser does when the user presses Enter in a
   * field.
   */
  submit(form: number, submitter?: number): void;
  reset(form: number): void;
  /** Takes the focus out of a field of the form. Returns whether a field had it. */
  leaveField(form: number): boolean;
  /** Returns the form with a password that was stopped since the last call, if there is one. */
  takeStoppedPasswordForm(): StoppedPasswordForm | undefined;
  outcome(form: number): FormOutcome;
  /** Returns the names of the fields whose values are not the initial ones. After a reset, there are none. */
  changedFields(form: number): readonly string[];
  /**
   * Returns whether the element is checked; `undefined` for an element that cannot be checked, such as a text
   * field.
   */
  isChecked(id: number): boolean | undefined;
  /**
   * Returns the name of the group around each field, such as the legend of its fieldset; `null` for a field
   * without a named group.
   */
  groupsOf(ids: readonly number[]): readonly (string | null)[];
  /**
   * Finds the radio button with the wanted label or value in the group of the given button. Without such a
   * button, returns the labels of the group's buttons.
   */
  findRadio(id: number, wanted: string): { readonly id: number } | { readonly options: readonly string[] };
}

/** Maximum number of characters of the name of a group. */
const MAX_GROUP_NAME = 200;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
let submitted: SubmitEvent | undefined;
let reset: Event | undefined;
let refused: Element[] = [];
let watched: HTMLFormElement | undefined;

/**
 * The roots at which this file listens for form events: the document and shadow roots. Form events do not
 * leave their shadow tree, so each tree needs its own listeners.
 */
const listening = new WeakSet<Node>();
const listen = (root: Node): void => {
  if (listening.has(root)) return;
  listening.add(root);
  const on = (name: string, note: (event: Event) => void): void => root.addEventListener(name, note, true);
  on("submit", (event) => {
    if (event.target === watched && event instanceof SubmitEvent) submitted = event;
  });
  on("reset", (event) => {
    if (event.target === watched) reset = event;
  });
  on("invalid", ({ target }) => {
    if (target instanceof Element && formOf(target) === watched) refused.push(target);
  });
};

export const formOf = (element: Element): HTMLFormElement | undefined => {
  if (element instanceof HTMLFormElement) return element;
  const own = "form" in element ? element.form : undefined;
  if (own instanceof HTMLFormElement) return own;
  for (let up: Element | null = element; up; up = registry.parentOf(up)) {
    if (up instanceof HTMLFormElement) return up;
  }
  return undefined;
};

const isForm = (element: Element): element is HTMLFormElement => element instanceof HTMLFormElement;

const nameOf = (form: HTMLFormElement): string =>
  form.getAttribute("aria-label") ??
  (form.getAttribute("id") || form.getAttribute("name") || form.getAttribute("action") || "form");

export const labelOf = (field: Element): string => {
  const [label] = describer.labelsOf(field);
  const text =
    label?.textContent ?? field.getAttribute("aria-label") ?? field.getAttribute("placeholder") ?? "";
  return shorten(text, 80);
};

export const refusedField = (field: Element): RefusedField => {
  const described = (field.getAttribute("aria-errormessage") ?? field.getAttribute("aria-describedby") ?? "")
    .split(/\s+/)
    .flatMap((id) => (id === "" ? [] : (document.getElementById(id)?.textContent ?? [])))
    .join(" ");
  const own = "validationMessage" in field ? String(field.validationMessage) : "";
  const message = [described, own, textBehind(field)].find((text) => text.trim() !== "") ?? "";
  return {
    name: field.getAttribute("name") ?? field.id,
    label: labelOf(field),
    message: shorten(message, 200),
  };
};

/** Maximum number of ancestors of a field in which its error message is searched for. */
const MESSAGE_BOXES = 3;

/**
 * Returns the text after a field that is marked as invalid, if both are in a box without another field. Some
 * pages show the reason there, and no attribute of the field refers to it (Bugsink, and the lists of errors
 * in forms of Django).
 */
const textBehind = (field: Element): string => {
  let at = field;
  for (let level = 0; level < MESSAGE_BOXES; level++) {
    const box = at.parentElement;
    if (box?.querySelectorAll("input:not([type=hidden]),select,textarea").length !== 1) return "";
    const text = [];
    for (let next = at.nextElementSibling; next; next = next.nextElementSibling)
      if (!next.matches("script,style,button,label") && next.checkVisibility(VISIBLE))
        text.push(describer.wordsOf(next));
    const words = text.join(" ").trim();
    if (words !== "") return words;
    at = box;
  }
  return "";
};

const formAt = (id: number): HTMLFormElement | undefined => {
  const form = identity.find(id);
  return form instanceof HTMLFormElement ? form : undefined;
};

const buttonOf = (
  form: HTMLFormElement,
  type: "submit" | "reset",
  state: ":enabled" | ":disabled" = ":enabled",
): number | undefined => {
  const button = [...form.elements].find(
    (element) =>
      (element instanceof HTMLButtonElement || element instanceof HTMLInputElement) &&
      (element.type === type || (type === "submit" && element.type === "image")) &&
      element.matches(state) &&
      element.checkVisibility(VISIBLE),
  );
  return button && identity.identify(button);
};

const isGet = (form: HTMLFormElement, submitter: Element | undefined): boolean =>
  (submitter?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get").toLowerCase() === "get";

/** Selector of fields for a text that is data and no search text. */
const TEXT =
  "textarea,input:is([type=text],[type=email],[type=url],[type=tel],:not([type])):not([role=searchbox])";
/**
 * A form with a search field counts as a search only if it has fewer than this number of other text fields.
 * Otherwise, the search field only filters a list in the form: the tags of ember-power-select (Ghost), Select2 and
 * Choices.js.
 */
const OTHER_FIELDS = 2;

const isSearch = (form: HTMLFormElement): boolean =>
  form.closest("search,[role=search]") !== null ||
  (form.querySelector("input[type=search],[role=searchbox]") !== null &&
    form.querySelectorAll(TEXT).length < OTHER_FIELDS);

/**
 * Whether only a script can send the form: it uses GET, has no submit button, and has several text fields. By the
 * HTML standard, the Enter key does not send such a form. If Cairn sent it without a script of the page, the
 * browser would only open the page again, with the values in its address.
 */
const isSentByScriptOnly = (form: HTMLFormElement): boolean =>
  isGet(form, undefined) &&
  ![...form.elements].some((one) =>
    one.matches("button[type=submit],button:not([type]),input:is([type=submit],[type=image])"),
  ) &&
  [...form.elements].filter((one) => one.matches(TEXT) && one instanceof HTMLInputElement).length > 1;

const isField = (element: Element): element is Field =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

const isRefused = (element: Element): boolean =>
  element.matches(MARKED) || (isField(element) && element.willValidate && !element.validity.valid);

const isFieldSeen = (element: Element): boolean =>
  isField(element) &&
  !/^(hidden|submit|button|reset|image)$/.test(element.type) &&
  element.checkVisibility(VISIBLE);

const fieldNames = (form: HTMLFormElement): readonly string[] => [
  ...new Set(
    [...form.elements]
      .filter(isField)
      .filter(({ type, name }) => name !== "" && !/^(hidden|submit|button|reset|image)$/.test(type))
      .map(({ name }) => name),
  ),
];

const isAltered = (field: Field): boolean => {
  if (field instanceof HTMLSelectElement) {
    const chosen = [...field.options].some(({ defaultSelected }) => defaultSelected);
    return chosen && [...field.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type))
    return field.checked !== field.defaultChecked;
  if (
    field instanceof HTMLInputElement &&
    /^(submit|button|reset|image|hidden|range|color)$/.test(field.type)
  )
    return false;
  return field.value !== field.defaultValue;
};

/** Matches fields that a server has marked as invalid: by ARIA, or by the class of Bootstrap and Tabler. */
export const MARKED = "[aria-invalid=true],.is-invalid";

/** Returns the fields whose values a server shows again if it refuses the form. */
const comparableFields = (form: HTMLFormElement): readonly Field[] =>
  [...form.elements]
    .filter(isField)
    .filter(
      (field) =>
        field.name !== "" &&
        !/^(hidden|submit|button|reset|image|password|file)$/.test(field.type) &&
        !registry.isSecret(field),
    );

const contentOf = (field: Field): unknown => {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value);
  const isChecked = field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);
  return isChecked ? [field.value, field.checked] : field.value;
};

const valuesIn = (form: HTMLFormElement, names: readonly string[]): string =>
  JSON.stringify(
    comparableFields(form)
      .filter(({ name }) => names.includes(name))
      .map((field) => [field.name, contentOf(field)]),
  );

const textsIn = (form: HTMLFormElement): readonly string[] =>
  comparableFields(form).flatMap((field) =>
    field instanceof HTMLSelectElement || /^(checkbox|radio)$/.test(field.type) ? [] : [field.value.trim()],
  );

/**
 * Maximum number of texts of a form that are compared with the texts of the form that the server shows again,
 * and their maximum length in characters.
 */
const LINES = { count: 300, length: 200 } as const;

/**
 * Returns the visible texts of a form and directly above it, without labels, buttons and values. Errors of fields are
 * among them.
 */
const linesOf = (form: HTMLFormElement): readonly string[] => {
  const lines = new Set<string>();
  for (const root of [form, form.previousElementSibling]) {
    if (!root || (root !== form && root.querySelector("form"))) continue;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() && lines.size < LINES.count) {
      const { currentNode: node } = texts;
      const text = (node.nodeValue ?? "").trim();
      const box = node.parentElement;
      if (text === "" || !box || box.closest(NO_LINE) || !box.checkVisibility(VISIBLE)) continue;
      lines.add(shorten(text, LINES.length));
    }
  }
  return [...lines];
};

const NO_LINE = "script,style,option,textarea,button,label,[contenteditable]";

const ariaNameOf = (element: Element): string => {
  const names = (element.ariaLabelledByElements ?? []).map((named) => describer.wordsOf(named));
  return shorten(names.join(" ") || (element.getAttribute("aria-label") ?? ""), MAX_GROUP_NAME);
};

function* around(field: Element): Generator<AroundField> {
  const root = field.getRootNode();
  const words = (named: Element | null | undefined) =>
    named ? shorten(describer.wordsOf(named), MAX_GROUP_NAME) : undefined;
  for (let up = registry.parentOf(field); up; up = registry.parentOf(up)) {
    const group = up;
    yield {
      tag: group.localName,
      role: group.getAttribute("role") ?? "",
      legend: () => words(group.querySelector(":scope > legend")),
      label: () =>
        group.id === "" || !(root instanceof Document || root instanceof ShadowRoot)
          ? undefined
          : words(root.querySelector(`label[for="${CSS.escape(group.id)}"]`)),
      ariaName: () => ariaNameOf(group),
    };
  }
}

/** Lets the scripts of the page send a form. If none does, the form is not sent. */
const sendByScript = (form: HTMLFormElement): void => {
  const root = form.getRootNode();
  const last = root instanceof Document ? window : root;
  const stop = (event: Event): void => {
    if (event.target === form) event.preventDefault();
  };
  last.addEventListener("submit", stop);
  form.requestSubmit();
  last.removeEventListener("submit", stop);
};

export const formSubmission: FormSubmission = {
  find(id) {
    let form: HTMLFormElement | undefined;
    let given: Element | undefined;
    if (id !== null) {
      given = identity.find(id);
      if (!given) return { problem: "gone" };
      const other = identity.obstacle(given, id);
      if (other) return other;
      form = formOf(given);
    } else {
      const within = registry.focused();
      const seen = [...deepElements(document)]
        .filter(isForm)
        .filter((element) => element.checkVisibility(VISIBLE));
      // A form without a visible field, such as the form of the button "Sign out", is considered only if no
      // visible form has a visible field.
      const withFields = seen.filter((one) => [...one.elements].some(isFieldSeen));
      const [only, ...others] = withFields.length > 0 ? withFields : seen;
      form = (within && formOf(within)) ?? (others.length === 0 ? only : undefined);
      if (!form) return { forms: seen.map(nameOf) };
    }
    if (!form) return { forms: [...deepElements(document)].filter(isForm).map(nameOf) };
    const isButton =
      (given instanceof HTMLButtonElement || given instanceof HTMLInputElement) &&
      /^(submit|image)$/.test(given.type);
    const submitter = given && isButton ? registry.idOf(given) : buttonOf(form, "submit");
    const resetter = buttonOf(form, "reset");
    const disabled = submitter === undefined ? buttonOf(form, "submit", ":disabled") : undefined;
    const button = submitter === undefined ? undefined : identity.find(submitter);
    return {
      form: identity.identify(form),
      name: nameOf(form),
      fields: fieldNames(form),
      values: valuesIn(form, fieldNames(form)),
      texts: textsIn(form),
      lines: linesOf(form),
      isAltered: comparableFields(form).some(isAltered),
      isSubmitterUnseen:
        button !== undefined && (geometry.isVisuallyHidden(button) || !geometry.canScrollTo(button)),
      isGet: isGet(form, button),
      holdsPassword: [...form.elements].some(
        (field) => isField(field) && field.value !== "" && registry.isSecret(field),
      ),
      isSearch: isSearch(form),
      refusedFields: [...form.elements].filter(isRefused).map(refusedField),
      ...(submitter === undefined ? {} : { submitter }),
      ...(disabled === undefined ? {} : { disabledSubmitter: disabled }),
      ...(resetter === undefined ? {} : { resetter }),
    };
  },

  shownAgain(fields) {
    if (fields.length === 0) return null;
    const form = [...deepElements(document)].filter(isForm).find((one) => {
      const names = new Set(fieldNames(one));
      return fields.every((name) => names.has(name)) && one.checkVisibility(VISIBLE);
    });
    if (!form) return null;
    const [navigation] = performance.getEntriesByType("navigation");
    return {
      values: valuesIn(form, fields),
      lines: linesOf(form),
      marked: [...form.elements].filter((field) => field.matches(MARKED)).map(refusedField),
      isRedirected: navigation instanceof PerformanceNavigationTiming && navigation.redirectCount > 0,
    };
  },

  watch(id) {
    watched = formAt(id);
    if (watched) listen(watched.getRootNode());
    submitted = undefined;
    reset = undefined;
    refused = [];
  },

  submit(id, submitter) {
    const button = submitter === undefined ? undefined : identity.find(submitter);
    const form = formAt(id);
    if (button instanceof HTMLElement) button.click();
    else if (form && isSentByScriptOnly(form)) sendByScript(form);
    else form?.requestSubmit();
  },

  reset(id) {
    formAt(id)?.reset();
  },

  leaveField(id) {
    const form = formAt(id);
    const at = registry.focused();
    if (!form || !(at instanceof HTMLElement) || at instanceof HTMLButtonElement || formOf(at) !== form)
      return false;
    at.blur();
    return true;
  },

  takeStoppedPasswordForm() {
    const taken = passwordForms.take();
    if (!taken) return undefined;
    const { texts, focused } = taken;
    const fields = [...texts].sort(([one], [other]) => Number(one === focused) - Number(other === focused));
    return { fields: fields.map(([field, text]) => ({ id: identity.identify(field), text })) };
  },

  outcome(id) {
    const form = formAt(id);
    const own = form ? [...form.elements] : [];
    const wrong = (field: Element): boolean =>
      field.getAttribute("aria-invalid") === "true" ||
      // A script of the page has prevented the submission. The browser's own validation may then show which
      // fields are the reason.
      (submitted?.defaultPrevented === true && isField(field) && field.willValidate && !field.validity.valid);
    return {
      alive: form !== undefined,
      submitted: submitted !== undefined,
      prevented: submitted?.defaultPrevented === true,
      reset: reset !== undefined && !reset.defaultPrevented,
      invalid: [...new Set(refused)].map(refusedField),
      marked: own.filter(wrong).map(refusedField),
      lines: form ? linesOf(form) : [],
    };
  },

  changedFields(id) {
    const form = formAt(id);
    return [...(form?.elements ?? [])]
      .filter((element) => isField(element) && isAltered(element))
      .map((element) => refusedField(element).name);
  },

  isChecked(id) {
    const element = identity.find(id);
    const aria = element?.getAttribute("aria-checked") ?? element?.getAttribute("aria-pressed");
    // Some scripts draw a switch over a checkbox and update only the switch's ARIA state. So the ARIA state
    // of a switch takes precedence over the state of its checkbox.
    const drawn = element?.getAttribute("role") === "switch" && aria !== undefined && aria !== null;
    if (!drawn && element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type))
      return element.checked;
    return aria === undefined || aria === null ? undefined : aria === "true";
  },

  groupsOf(ids) {
    return ids.map((id) => {
      const field = identity.find(id);
      return (field && nameOfGroup(around(field))) ?? null;
    });
  },

  findRadio(id, wanted) {
    const element = identity.find(id);
    if (!(element instanceof HTMLInputElement)) return { options: [] };
    const root = element.getRootNode();
    const group =
      root instanceof Document || root instanceof ShadowRoot
        ? [...root.querySelectorAll<HTMLInputElement>("input[type=radio]")].filter(
            (radio) => radio.name === element.name && radio.form === element.form,
          )
        : [element];
    const lower = wanted.trim().toLowerCase();
    const found =
      group.find((element) => element.value.toLowerCase() === lower) ??
      group.find((element) => labelOf(element).toLowerCase() === lower);
    if (!found) return { options: group.map((element) => labelOf(element) || element.value) };
    return { id: identity.identify(found) };
  },
};
