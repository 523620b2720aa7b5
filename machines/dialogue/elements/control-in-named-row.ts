/**
 * Chooses the control in the row that the task names, if controls in several rows have the same name, such as
 * a button "History" in each row.
 */
import { nameOf } from "../../session/page/element-line.ts";
import { tokensOf } from "../task/split-task-into-tokens.ts";
import { type Match, NEAR } from "./elements-described-by-task-words.ts";
import { rowText } from "./texts-that-may-name-element.ts";

/**
 * If controls in several rows match equally well and have the same name, returns the one whose row has a name or a
 * number of the task: "History" in the row SA-01 for "Show the history of SA-01". Otherwise returns `undefined`.
 */
export function inNamedRow(part: string, matches: readonly Match[]): Match | undefined {
  const [best] = matches;
  const near = matches.filter(({ score }) => best && best.score - score < NEAR);
  if (
    !best ||
    near.some(({ element }) => rowText(element) === "" || nameOf(element) !== nameOf(best.element))
  )
    return undefined;
  const names = tokensOf(part)
    .slice(1)
    .filter(({ text, kind }) => kind !== "separator" && /^[\p{Lu}\d]/u.test(text))
    .map(({ text }) => new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(text)}(?![\\p{L}\\p{N}])`, "u"));
  const named = near.filter(({ element }) => names.some((name) => name.test(rowText(element))));
  return named.length === 1 ? named[0] : undefined;
}
