/**
 * Changes the summary of a page as it may differ at another visit: other rows, dates in another language,
 * ads, and other names.
 */
import { randomFrom } from "../../support/seeded-random.ts";

const MONTHS = "januar februar märz april mai juni juli august september oktober november dezember".split(
  " ",
);
const ADS = [
  "Advertisement",
  "Save 20 % today",
  "Cookies: we use them",
  "New: try our app",
  "Sponsored: shoes for all",
  "Sign up for the newsletter",
];
const NAMES = ["Grace Hopper", "Alan Turing", "Tim", "Katherine Johnson"];
/** Share (0 to 1) of a summary's lines that the bench moves to another place in the summary. */
const MOVED = 0.2;
/** Share (0 to 1) of the probable rows of lists whose text the bench replaces in a summary. */
const REPLACED = 0.4;
const WORDS = "lorem ipsum dolor sit amet consectetur adipiscing elit sed tempor".split(" ");

/** @param summary the field `dom_summary` of a real page */
export function mutatedSummary(summary: string, seed: number): string {
  const random = randomFrom(seed);
  // The cast is safe: `pick` is only called with the constants above, which are not empty.
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let lines = summary
    .split("\n")
    .map((line) =>
      line
        .replace(
          /(\d{4})-(\d\d)-(\d\d)/g,
          (_, year, month, day) => `${Number(day)}. ${MONTHS[Number(month) - 1] ?? month} ${year}`,
        )
        .replace(/Ada Lovelace|\bada\b/g, pick(NAMES)),
    );
  lines = lines.map((line) => (isRow(line) && random() < REPLACED ? otherRow(line, random, pick) : line));
  for (let moves = Math.floor(lines.length * MOVED); moves > 0; moves--) {
    const [line = ""] = lines.splice(Math.floor(random() * lines.length), 1);
    lines.splice(Math.floor(random() * (lines.length + 1)), 0, line);
  }
  for (let ads = Math.floor(random() * 4); ads > 0; ads--) {
    lines.splice(Math.floor(random() * (lines.length + 1)), 0, pick(ADS));
  }
  return lines.join("\n");
}

/** Whether the line contains a digit, and so is probably a row of a list. */
function isRow(line: string): boolean {
  return /\d/.test(line);
}

function otherRow(line: string, random: () => number, pick: <T>(list: readonly T[]) => T): string {
  return `${line.replace(/\d+/g, () => String(Math.floor(random() * 900) + 100))} ${pick(WORDS)}`;
}
