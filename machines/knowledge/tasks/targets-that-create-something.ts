/**
 * Reads targets (words for a screen) such as "create a team". The screen may be called "New team" or "Add team". A
 * screen that only creates something else, such as "New auth token" at `/tokens/create`, is not meant.
 */

import { routeOf } from "../../exploration/crawl/normalise-url.ts";
import { operationOfName, taskWords } from "../screens/operation-and-thing-of-task.ts";
import { comparedWords, requestedWords, wordsOf } from "../screens/screen-name-index.ts";
import { meantBy } from "../screens/subject-words-of-question.ts";

export interface CreationTarget {
  /** Texts by which the screen may also be called. */
  readonly otherTexts: readonly string[];
  /** Whether a name and an address have a word for the thing to create, such as "team". */
  isAbout(name: string, url: string): boolean;
  /**
   * Whether the name of a control or a heading offers to create the thing, as "Add team" does. The heading "Newsletter
   * subscribers" of a chart (Ghost) and the column "Last comment" of a list (WordPress, Redmine) do not.
   */
  isOffered(name: string): boolean;
  /** Whether a field has the thing as its whole label, such as the field "Comment" for "add a comment". */
  isField(label: string): boolean;
  /**
   * Whether a screen creates another thing by its name and address. Its headings may have the word for the thing all the
   * same: "New member" has the part "Newsletters" in Ghost, and "Add New Post" has the part "Categories" in WordPress.
   */
  createsOther(name: string, url: string): boolean;
}

/** The verbs with which names of screens for new things start. */
const VERBS = ["new", "add", "create"];

/** Returns the target (words for a screen) if it asks to create a thing; `undefined` for other targets. */
export function creationTarget(target: string): CreationTarget | undefined {
  if (taskWords(target).operation !== "create") return undefined;
  const thing = wordsOf(meantBy(target)).filter((word) => operationOfName(word) !== "create");
  const words = requestedWords(thing.join(" "));
  if (words.size === 0) return undefined;
  const otherTexts = VERBS.map((verb) => `${verb} ${[...words].join(" ")}`);
  const isAbout = (name: string, url: string): boolean =>
    !words.isDisjointFrom(comparedWords(`${name} ${URL.parse(url)?.pathname ?? ""} ${routeOf(url)}`));
  const isOffered = (name: string): boolean => operationOfName(name) === "create" && isAbout(name, "");
  const isField = (label: string): boolean => {
    const own = comparedWords(label);
    return own.size > 0 && own.isSubsetOf(words);
  };
  const createsOther = (name: string, url: string): boolean =>
    operationOfName(name) === "create" && !isAbout(name, url);
  return { otherTexts, isAbout, isOffered, isField, createsOther };
}
