/**
 * Finds the details of a task that no step of its plan uses: names with a capital letter, numbers, quoted texts, e-mail
 * addresses, and the values of a new thing. A plan that leaves out such a detail has not understood the task.
 */
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { namesOf, rowText } from "../elements/texts-that-may-name-element.ts";
import { explained, similarOn, wordsOfPage } from "../elements/words-of-page-elements.ts";
import type { PlanStep } from "../plan/plan-schemas.ts";
import { createOrder } from "../task/creation-imperatives.ts";
import { FIRST_VERB, withoutAsides } from "../task/split-task-at-imperatives.ts";
import { type Token, tokensOf } from "../task/split-task-into-tokens.ts";
import { changesIn } from "../values/relative-number-changes.ts";
import { inDigits } from "../values/value-in-format-of-field.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { wordScore } from "../words/word-similarity.ts";

/**
 * Minimum similarity (0 to 1) at which a word of a task counts as the same as a word of an element. Synonyms
 * have the similarity 0.8.
 */
const SAME = 0.8;
/**
 * Minimum similarity (0 to 1) at which a word of a quoted text counts as the same as a word of an element. It
 * excludes synonyms, because a person quotes a text as the page shows it.
 */
const SAME_WORD = 0.95;
/** Matches words of German tasks. German nouns have capital letters, so a capital letter marks no name there. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|den|dem|des|und|bitte|ein|eine[nmrs]?|mein\p{L}*|ich|ist|für|mit|auf|von|vom|zu[mr]?|als|nicht|kannst|nach|über|im|am|noch|dazu|sein|seine[nmrs]?|ihre?[nmrs]?|bei|kündige|lösche|öffne|sende|schicke?|zeige?|setze?|trage?|schreibe?|mach|suche?|wähle?|kaufe?|erinnere|storniere|entferne?)(?!\p{L})/iu;
/** Words with a capital letter that are no names: pronouns, months and days. */
const NO_NAME =
  /^(?:i|i['’]\p{L}+|ok|mon|tue|wed|thu|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|jan\p{L}*|feb\p{L}*|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep\p{L}*|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|today|tomorrow|uhr|enter|escape|tab|please|hi|hello|hey|thanks?|sorry|yes|no|now|then|first|next|finally|also|well|so|hallo|bonjour|salut|hola|merci|gracias|grazie|ciao|bitte)$/iu;
/** Matches a position in a list: "2nd", "3.", "1er". */
const POSITION = /^\d+(?:st|nd|rd|th|er|e|ème|º|ª)$/iu;
/** Matches the hour of a time: "20" in "20:00". */
const HOUR = /\b(\d{1,2}):\d{2}\b/gu;
/** Number of hours in half a day. A task may call 20:00 "8 in the evening", so 8 counts as used too. */
const HALF_DAY = 12;

/** A detail of a task, such as a name or a number. */
interface Detail {
  readonly text: string;
  readonly isQuoted?: boolean;
  /**
   * Whether the detail is the value of a field. A step must then contain it as a word of its own: "leo" is not in
   * "leo@example.com".
   */
  readonly isEntered?: boolean;
  /** Whether the detail contains digits. A step must then contain the same digits. */
  readonly isNumber: boolean;
}

/**
 * The page on which a task is planned. It is needed because a task may name the site: "Open the settings in
 * Grafana".
 */
interface SitePage {
  readonly pageUrl: string;
  readonly elements: readonly HighlightedElement[];
}

/** Matches an abbreviation such as "PDF" or "GB". It names a kind or a unit, and no thing. */
const ABBREVIATION = /^\p{Lu}{1,4}$/u;

const isName = (token: Token | undefined): boolean =>
  token?.kind === "word" &&
  /^\p{Lu}/u.test(token.text) &&
  !/\d/u.test(token.text) &&
  !NO_NAME.test(token.text);

/**
 * Returns the names of a task: runs of words with capital letters. The first word of a sentence counts only if a comma
 * follows: "Nova, 2 pallets".
 */
function namesIn(tokens: readonly Token[]): readonly Detail[] {
  const runs: string[][] = [];
  let isInRun = false;
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const isStart = before === undefined || (before.kind === "separator" && /^[.!?:;\n]$/u.test(before.text));
    const isListed = !FIRST_VERB.test(token.text) && tokens[at + 1]?.text === ",";
    const isOwn = isName(token) && (!isStart || isListed);
    if (isOwn && isInRun) runs.at(-1)?.push(token.text);
    else if (isOwn) runs.push([token.text]);
    isInRun = isOwn;
  }
  return runs
    .filter((run) => !run.every((word) => ABBREVIATION.test(word)))
    .map((run) => ({ text: run.join(" ").replace(/['’]s$/u, ""), isNumber: false }));
}

/**
 * Returns the values that a task states for named fields of a new thing: "Ines" of "Create a user with the
 * first name Ines". Values with a digit or "@" are found elsewhere.
 */
const enteredIn = (task: string): readonly Detail[] =>
  (createOrder(task)?.entries ?? []).flatMap(({ value }) =>
    value === null || /[\d@]/u.test(value) ? [] : [{ text: value, isNumber: false, isEntered: true }],
  );

function detailsOf(task: string, page: SitePage): readonly Detail[] {
  const tokens = tokensOf(task);
  const changed = changesIn(task).length > 0;
  const values = tokens.flatMap(({ text, kind, isQuoted }): readonly Detail[] => {
    if (isQuoted) return [{ text, isNumber: false, isQuoted }];
    if (kind === "separator" || !/[\d@]/u.test(text) || POSITION.test(text)) return [];
    if (text.includes("@")) return [{ text, isNumber: false }];
    return changed ? [] : [{ text, isNumber: true }];
  });
  const names = GERMAN.test(task) ? [] : namesIn(tokens);
  return [...values, ...enteredIn(task), ...names.filter(({ text }) => !namesSite(text, task, page))];
}

const groupsOf = (text: string): readonly string[] =>
  (text.match(/\d+/gu) ?? []).map((digits) => digits.replace(/^0+(?=\d)/u, ""));
const digitsOf = (text: string): string => text.replace(/\D/gu, "");

function textsOf(step: PlanStep, elements: readonly HighlightedElement[]): readonly string[] {
  const { description, value, secret, target, targetId } = step;
  const element = elements.find(({ highlight_index }) => highlight_index === targetId);
  const { headings, caption, column } = element
    ? placeOf(element)
    : { headings: [], caption: [], column: undefined };
  const own = element
    ? [...namesOf(element).map(({ text }) => text), element.value, rowText(element), element.formName]
    : [];
  return [
    description,
    value,
    secret,
    target?.name,
    target?.around,
    column,
    ...own,
    ...headings,
    ...caption,
  ].flatMap((text) => text ?? []);
}

/** Matches the greeting of a person or an assistant at the start of a task: "Hi Claude,", "Good morning Ada,". */
const GREETING =
  /^\s*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Oo][Kk]|[Oo]kay|[Tt]hanks|[Tt]hank\syou|[Gg]ood\s(?:morning|afternoon|evening)|[Hh]allo|[Dd]anke|[Bb]onjour|[Ss]alut|[Mm]erci|[Hh]ola|[Gg]racias)\s\p{Lu}[\p{L}'’-]*\s*[,.!:]\s*/u;

/** Matches the role of the person who gives a task, at the start of the task: "As an Admin,". */
const ROLE =
  /^\s*(?:[Aa]s|[Aa]ls|[Ee]n\stant\sque|[Cc]omo)\s(?:(?:an?|the|un|une|una|el|la|le)\s)?\p{L}[\p{L}\s-]{0,30},\s*/u;
/** Matches the browser or the system on which a person works, which is no detail of the task: "in Chrome". */
const PROGRAM =
  /\s(?:in|on|with|im|auf|mit|dans|sur|avec|en|con|su)\s(?:(?:my|the|mein\p{L}*|mon|mi|il\smio)\s)?(?:Chrome|Chromium|Firefox|Safari|Edge|Opera|Brave|Windows|Mac|macOS|Linux|Android|iOS|iPhone|iPad)(?!\p{L}|\s\p{Lu})/gu;
/** Matches the total number after the number of a page or step: "of 3" in "page 2 of 3". */
const OF_ALL = /(?<=\d)\s(?:of|von|sur|de)\s\d+\b/gu;

/** Returns a task without the parts that need no step, such as a greeting or "in Chrome". */
const withoutSetting = (task: string): string =>
  task.replace(GREETING, "").replace(ROLE, "").replace(PROGRAM, "").replace(OF_ALL, "");

/**
 * Whether a name belongs to the site or the page: it is in the page's address, or in a link to the start of
 * the site.
 */
function namesSite(name: string, task: string, { pageUrl, elements }: SitePage): boolean {
  const url = URL.parse(pageUrl);
  if (!url) return false;
  const isHome = ({ attributes: { href } }: HighlightedElement): boolean =>
    href !== undefined && URL.parse(href, url)?.href === `${url.origin}/`;
  const texts = elements.filter(isHome).flatMap((one) => namesOf(one).map(({ text }) => text));
  // In "Move web-01 to Singapore", Singapore is the goal of the move. So it is a detail of the task, even if
  // the page has the path "/regions/singapore".
  const isGoal = new RegExp(`\\s(?:to|into|nach|vers|hacia)\\s+${RegExp.escape(name)}`, "iu").test(task);
  const path = isGoal ? "" : url.pathname;
  const words = [url.hostname, path, ...texts].flatMap((text) => contentWords(text));
  const own = contentWords(name);
  return own.every((word) => words.includes(word)) || url.hostname.split(".").includes(own.join(""));
}

/**
 * Returns the details of a task that its plan does not use. A detail is used if a step contains it, if it is in the
 * name of an element that a step uses, or if it only names the site.
 */
export function detailsWithoutStep(
  task: string,
  steps: readonly PlanStep[],
  elements: readonly HighlightedElement[],
  pageUrl: string,
): readonly string[] {
  const details = detailsOf(withoutAsides(withoutSetting(task)), { pageUrl, elements });
  if (details.length === 0) return [];
  // The page may edit the record that the task names, and show the name in a field: "Samir" for "Mark Samir
  // as part time". Such a name needs no step.
  const shown = elements.flatMap(({ value }) => value ?? []);
  const texts = [...steps.flatMap((step) => textsOf(step, elements)), ...shown];
  const plain = texts.map(plainText).join("\n");
  const words = [...new Set(texts.flatMap((text) => contentWords(text)))];
  const groups = new Set(texts.flatMap((text) => groupsOf(inDigits(text))));
  for (const [, hour] of texts.join("\n").matchAll(HOUR))
    if (Number(hour) > HALF_DAY) groups.add(String(Number(hour) - HALF_DAY));
  const compact = texts.map(digitsOf);
  const isUsed = ({ text, isNumber, isQuoted, isEntered }: Detail): boolean => {
    const word = isEntered
      ? new RegExp(`(?<![\\p{L}\\d.])${RegExp.escape(plainText(text))}(?![\\p{L}\\d@])`, "u")
      : undefined;
    if (word ? word.test(plain) : plain.includes(plainText(text))) return true;
    if (isNumber)
      return (
        groupsOf(text).every((one) => groups.has(one)) || compact.some((one) => one.includes(digitsOf(text)))
      );
    return contentWords(text).every((word) => wordScore(word, words) >= (isQuoted ? SAME_WORD : SAME));
  };
  const unused = details.filter((detail) => !isUsed(detail));
  if (unused.length === 0) return [];
  const targets = new Set(steps.flatMap(({ targetId }) => targetId ?? []));
  const all = wordsOfPage(elements);
  const own = all.filter(({ element }) => targets.has(element.highlight_index));
  const similar = similarOn(own);
  return unused
    .filter(
      ({ text, isQuoted }) =>
        isQuoted ||
        !contentWords(text).every((word) => own.some((one) => explained(word, one, similar).overall > 0)),
    )
    .map(({ text }) => text);
}
