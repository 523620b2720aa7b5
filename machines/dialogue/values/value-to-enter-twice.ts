/**
 * Reads an order to enter a value a second time: "confirm it" after a password or an e-mail address, if the page has a
 * second field for the same value.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isField } from "../elements/texts-that-may-name-element.ts";
import { contentWords } from "../words/normalised-words.ts";

/** Matches a clause that orders to repeat the value before it: ", confirm it", "and repeat the password". */
const REPEAT_ORDER =
  /(?:\s*,|\s+and|\s+und|\s+et|\s+y)\s+(?:then\s+)?(confirm|repeat|retype|re-enter|bestätige|wiederhole|confirme[rz]?|répète|confirma|repite|conferma|ripeti)(\s+(?:it|this|(?:the|my)\s+(?:new\s+)?(?:password|e-?mail(?:\s+address)?)|es|das\s+passwort|le\s+mot\s+de\s+passe|la\s+contraseña|la\s+password))?(?=\s*(?:$|[,.;!])|\s+(?:and|then|und|et|y|e)\s)/iu;
/** Words in the name of a field that takes a value a second time: "Confirm password", "E-mail (again)". */
const REPEATING: ReadonlySet<string> = new Set(
  contentWords(
    "confirm confirmation repeat retype reenter again verify bestatigen wiederholen confirmer repeter confirmar repetir",
  ),
);
/**
 * Matches the stored secret that a text names last. The text is the part of a task before an order to repeat the
 * value.
 */
const SECRET = /\bsecret\s+([A-Za-z]\w*)(?!.*\bsecret\s)/iu;
/** Matches the last e-mail address in the part of a task before an order to repeat the value. */
const EMAIL = /([\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?!.*@)/u;

/** Returns the field that takes the value of another field a second time; `undefined` if there are several or none. */
function repeatField(
  elements: readonly HighlightedElement[],
  isOfKind: (one: HighlightedElement) => boolean,
): HighlightedElement | undefined {
  const fields = elements.filter((one) => isField(one) && !one.disabled && isOfKind(one));
  const repeats = fields.filter((one) => contentWords(nameOf(one)).some((word) => REPEATING.has(word)));
  return repeats.length === 1 && fields.length > 1 ? repeats[0] : undefined;
}

/**
 * Replaces an order to repeat a value, such as "confirm it", by an order to type the value into its second
 * field. A task without such an order is returned unchanged.
 */
export function withRepeatedValue(task: string, elements: readonly HighlightedElement[]): string {
  const order = REPEAT_ORDER.exec(task);
  if (order === null) return task;
  const before = task.slice(0, order.index);
  const [, secret] = SECRET.exec(before) ?? [];
  const [, email] = EMAIL.exec(before) ?? [];
  const field =
    secret === undefined
      ? repeatField(elements, (one) => contentWords(nameOf(one)).includes("email"))
      : repeatField(elements, ({ type }) => type === "password");
  const value = secret === undefined ? email : `the secret ${secret}`;
  if (field === undefined || value === undefined) return task;
  // "and confirm" without an object may mean the button "Confirm". If the page has such a button, it is
  // pressed too.
  const [said, verb = "", object] = order;
  const [name] = contentWords(verb);
  const hasButton = elements.some((one) => !isField(one) && contentWords(nameOf(one)).join() === name);
  const rest = (object === undefined && hasButton ? said : "") + task.slice(order.index + said.length);
  return `${before}, type ${value} into "${nameOf(field)}"${rest}`;
}
