/**
 * Presses a button such as "New voucher" in a session, and reads the form that it shows. Such a button has no address:
 * a script opens a dialog or another page.
 */
import { setTimeout as pause } from "node:timers/promises";
import { controlsAddedByPress } from "../../../machines/exploration/press/controls-added-by-press.ts";
import {
  operationOfName,
  readingsOf,
  stemsOf,
  type TaskWords,
} from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { type ActionControls, actionsOfState } from "../../../machines/knowledge/screens/page-to-screen.ts";
import type { ActionRecord } from "../../../machines/records/map-records.ts";
import type { Control } from "../../../machines/records/page-control-records.ts";
import { riskOf } from "../../../machines/risk/risk-classes.ts";
import { nameOf } from "../../../machines/session/page/element-line.ts";
import { formPath } from "../../../machines/session/page/form-of-element.ts";
import type { HighlightedElement } from "../../../machines/session/page/page-snapshot.ts";

/**
 * Words that the name of a button such as "Add a new voucher" may contain besides the operation and the kind
 * of object.
 */
const NEUTRAL: ReadonlySet<string> = new Set(stemsOf("a an the new another"));
/** Maximum time in milliseconds in which a press shows a form. */
const FORM_WITHIN = 5_000;
/** Interval in milliseconds at which the page is read again after a press. */
const EVERY = 300;

/** The session in which a button is pressed. */
export interface PressedSession {
  elements(): Promise<readonly HighlightedElement[]>;
  /** Clicks an element. Returns `false` if it could not be clicked. */
  press(index: number): Promise<boolean>;
}

/** A form that a press has shown: the pressed button, and the controls and actions of the form. */
export interface PressedForm {
  /** The pressed button, described as maps store controls. */
  readonly control: Control;
  readonly controls: ActionControls;
  readonly actions: readonly ActionRecord[];
}

/**
 * Returns the button that opens the form of a task such as "create a voucher". Its name says that it creates
 * something. It also contains words for the kind of object, unless the page is about this kind. Returns
 * `undefined` if several buttons fit. A button in a form is left out, because it would send the form.
 */
export function buttonForForm(
  elements: readonly HighlightedElement[],
  { operation, things, head }: TaskWords,
  page: ReadonlySet<string>,
): HighlightedElement | undefined {
  if (operation !== "create" || head === undefined) return undefined;
  const buttons = elements.flatMap((element) => {
    const isButton = element.tagName === "button" || element.role === "button";
    if (!isButton || element.disabled === true || element.covered !== undefined) return [];
    if (element.attributes.href !== undefined || formPath(element) !== undefined) return [];
    if (operationOfName(nameOf(element)) !== "create") return [];
    const readings = readingsOf(nameOf(element)).map((words) =>
      words.filter((word) => !NEUTRAL.has(word) && operationOfName(word) !== "create"),
    );
    const isBare = readings.every((others) => others.length === 0);
    if (riskOf({ name: isBare ? nameOf(element) : "", attributes: element.attributes }) !== undefined)
      return [];
    const isThing = readings.some(
      (others) => others.includes(head) && others.every((word) => things.includes(word)),
    );
    if (!isThing && !(isBare && page.has(head))) return [];
    return [{ element, isThing }];
  });
  const named = buttons.filter(({ isThing }) => isThing);
  const [only, other] = named.length > 0 ? named : buttons;
  return other === undefined ? only?.element : undefined;
}

/**
 * Presses a button, and waits until the page shows a form.
 *
 * @param url the address of the page to which the returned actions belong
 */
export async function formBehindButton(
  session: PressedSession,
  before: readonly HighlightedElement[],
  button: HighlightedElement,
  url: string,
): Promise<PressedForm | undefined> {
  if (!(await session.press(button.highlight_index))) return undefined;
  const until = performance.now() + FORM_WITHIN;
  for (;;) {
    const controls = controlsAddedByPress({ elements: before }, { elements: await session.elements() });
    if (controls && controls.forms.length > 0)
      return { control: controlOf(button), controls, actions: actionsOfState("", url, controls) };
    if (performance.now() >= until) return undefined;
    await pause(EVERY);
  }
}

function controlOf(button: HighlightedElement): Control {
  const { role, tagName, selector, xpath, attributes } = button;
  const { id, class: classes } = attributes;
  const kept = Object.entries({ id, class: classes }).flatMap(([key, value]) =>
    value ? [[key, value]] : [],
  );
  return {
    role: role ?? "button",
    name: nameOf(button),
    selector,
    xpath,
    attributes: { ...Object.fromEntries(kept), tag: tagName },
  };
}
