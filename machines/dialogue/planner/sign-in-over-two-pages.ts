/**
 * Plans a sign-in on a page that asks for the password only after the user name was sent, such as those of
 * Google and Microsoft.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { submitsOf } from "../elements/elements-of-one-form.ts";
import { isField } from "../elements/texts-that-may-name-element.ts";
import { submitStep } from "../plan/build-plan-step.ts";
import { targetScore } from "../plan/plan-confidence.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import type { Order } from "../task/parsed-imperative.ts";
import { deferred, found, joined, type Resolved, type Resolving } from "./plan-steps-of-imperative.ts";

/** Names of the button that sends the user name, most likely first. Names in other languages are translated. */
const NEXT = ["next", "continue", "sign in", "log in"] as const;
/** Matches the name of a button that signs in with an account of another site: "Continue with Google". */
const OTHER_ACCOUNT =
  /\p{L}\s+(?:with|using|via|mit|über|avec|con)\s+(?!(?:(?:your|an)\s+)?(?:e-?mail|password|user))/iu;

/**
 * If the page has a field for the user name but none for the password, returns the click that sends the user
 * name, and a step that types the password into a field of the next page.
 */
export function passwordOnNextPage(order: Order, resolving: Resolving): Resolved | undefined {
  const { request, entered } = resolving;
  if (order.kind !== "sign_in" || order.value !== null || entered === undefined) return undefined;
  if (request.elements.some(({ type }) => type === "password")) return undefined;
  const ofThisSite = request.elements.filter((one) => one === entered || !OTHER_ACCOUNT.test(nameOf(one)));
  const [next] = submitsOf(entered, NEXT, ofThisSite.map(withoutCoverIfDisabled));
  if (next === undefined) return undefined;
  const click: Order = { kind: "click", target: nameOf(next), value: null };
  const later = deferred(order, resolving);
  const both = joined([found(click, { element: next, score: 1 }, resolving), later]);
  return { ...both, leaves: true, ...(later.question ? { question: later.question } : {}) };
}

/**
 * Returns a result without steps for the user name, if the page only has fields for a password: the user name was
 * then sent on an earlier page. Otherwise returns `undefined`.
 */
export function nameOnEarlierPage(
  { value }: Order,
  elements: readonly HighlightedElement[],
): Resolved | undefined {
  const fields = elements.filter(isField);
  const isSent = value !== null && fields.length > 0 && fields.every(({ type }) => type === "password");
  return isSent ? { steps: [] } : undefined;
}

/**
 * The pointer often passes through a disabled button, so the button wrongly counts as covered. The button
 * "Next" is often disabled until the user name is typed.
 */
function withoutCoverIfDisabled(element: HighlightedElement): HighlightedElement {
  return element.disabled ? { ...element, covered: undefined } : element;
}

/**
 * Returns the click that sends a password, if the plan types the password on a later page; otherwise `undefined`.
 *
 * @param before the steps of the imperative before this one, in the same part of the task
 */
export function sendOfLaterPassword(order: Order, before: Resolved | undefined): Resolved | undefined {
  const typed = before?.steps.at(-1);
  if (order.kind !== "click" || !isLaterPassword(typed)) return undefined;
  const password: Order = { kind: "sign_in", target: typed.target?.name ?? "", value: null };
  return { steps: [submitStep({ ...order, entries: [password] })], target: targetScore(0), leaves: true };
}

const isLaterPassword = (step: PlanStep | undefined): step is PlanStep =>
  step?.deferred === true && step.action === "input" && step.secret !== null;
