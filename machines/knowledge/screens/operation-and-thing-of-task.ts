/**
 * Splits the words of a task such as "create a new room called Blue" into the operation, the thing, and the
 * names of objects. Splits the address of a page into its words in the same way.
 */
import { knownParts, spacedCamelCase, withCamelCaseParts } from "../../compound-words.ts";
import { withJoinedVerb } from "../../dialogue/words/german-separable-verbs.ts";
import { inEnglish } from "../../dialogue/words/translated-words.ts";
import { routeOf } from "../../exploration/crawl/normalise-url.ts";
import { percentDecoded } from "../../percent-decoding.ts";
import { stem, wordsOf } from "./screen-name-index.ts";

export type Operation = "create" | "edit" | "remove";

/** For each operation, such as creating, the words by which tasks and pages refer to it. */
const OPERATION_WORDS: Readonly<Record<Operation, string>> = {
  create: "create creates creating new add adding",
  edit: "edit editing change modify rename update",
  remove: "delete remove",
};
const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  (["create", "edit", "remove"] as const).flatMap((operation) =>
    OPERATION_WORDS[operation].split(" ").map((word) => [word, operation] as const),
  ),
);
/** Dutch words for operations such as creating and editing. The translations of interfaces contain no Dutch words. */
const DUTCH_OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  (
    [
      ["create", "toevoegen voeg aanmaken maak nieuw nieuwe"],
      ["edit", "bewerk bewerken wijzig wijzigen"],
      ["remove", "verwijder verwijderen wis wissen"],
    ] as const
  ).flatMap(([operation, words]) => words.split(" ").map((word) => [word, operation] as const)),
);

/**
 * Returns the operation for a word, such as creating for "new". The word may be English, or German, French, Spanish,
 * Italian or Dutch.
 */
const operationOf = (word: string): Operation | undefined => OPERATIONS.get(word) ?? foreignOperation(word);

function foreignOperation(word: string): Operation | undefined {
  // A plural is a noun: "modifiers" are not the French verb "modifier".
  return word.endsWith("s") ? undefined : (OPERATIONS.get(inEnglish(word)) ?? DUTCH_OPERATIONS.get(word));
}

/** Verbs that name an operation only as the first word of a task: "make a copy", but "the make of a car". */
const FIRST_WORDS: ReadonlyMap<string, Operation> = new Map([
  ["make", "create"],
  ["set", "edit"],
]);

/** Words of a task that name neither its operation ("create") nor its thing ("room"). */
const FILLERS: ReadonlySet<string> = new Set(
  "a an the my our your me this that it its how do i can we please".split(" "),
);
/**
 * Words that are the thing of a task only if no other word is: "create a page" is about a page (of a wiki),
 * and "add a task" about a task, but "edit the settings page" is about settings.
 */
const WORDS_FOR_PARTS_OF_SITES: ReadonlySet<string> = new Set("form page screen task".split(" "));
/** Prepositions end the part of a task that names the thing: "the name of the event" is about a name. */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  "of in on at to for from with by into as and or".split(" "),
);

/** Articles, pronouns and parts of verbs in a German, French, Spanish, Italian or Dutch task. */
const FOREIGN_FILLERS: ReadonlySet<string> = new Set(
  (
    "die das den dem ein eine einen einem einer mein meine meinen bitte le la les l un une mon ma mes votre el los las " +
    "una unos unas mi il lo gli i uno het een mijn toe aan favor plait vous s"
  ).split(" "),
);
const FOREIGN_PREPOSITIONS: ReadonlySet<string> = new Set(
  (
    "der des von vom fur im zu zum zur mit auf bei und oder de du d pour dans avec au aux et ou del para con por y di " +
    "della per van voor met op bij naar en"
  ).split(" "),
);

/** Matches a name in quotation marks. */
const QUOTED = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu;
/** Matches a name after a word such as "called", up to the end of the task. */
const CALLED =
  /\b(?:called|named|titled|namens|genannt|appelée?|nommée?|intitulée?|llamad[oa]|chiamat[oa]|genaamd)\s+(.+)$/iu;

/**
 * Matches the address of a program. One program may serve several kinds of things, as `edit-tags.php` of
 * WordPress serves categories and tags, so its name does not say what a page is about.
 */
const PROGRAM = /\.(?:php\d?|phtml|cgi|pl|aspx?|jspx?|do|cfm|dll)$/i;

/**
 * A form, a screen or a stored task fits a task only if it has at least this share (0 to 1) of the task's
 * words for its thing, such as "room".
 */
const TASK_FIT = 0.6;

export interface TaskWords {
  readonly operation: Operation | undefined;
  /** Stems of the words that name the thing, such as "room", in the order of the task. */
  readonly things: readonly string[];
  /**
   * The stem of the word that says what kind of thing the task is about: "code" in "an access code for the
   * event".
   */
  readonly head: string | undefined;
  /** Stems of the words that name one object, such as "17" in "edit order 17". A form must have all of them. */
  readonly names: readonly string[];
}

/** What a form, a screen or a stored task is about, as stems of words. */
export interface Subject {
  readonly operation: Operation | undefined;
  /**
   * Words of the name of the form, screen or task, of the last part of its address, and of the button that submits
   * it.
   */
  readonly own: ReadonlySet<string>;
  /**
   * The words of `own`. For a search, a sign-in or an upload, also the words of the page, because `own` lacks
   * them.
   */
  readonly place: ReadonlySet<string>;
  /**
   * Words that only help to choose among forms, screens or tasks, such as the words of the complete address.
   */
  readonly other: ReadonlySet<string>;
  /** Labels of fields, each as its stems. A label counts only if the task contains all its words. */
  readonly labels: readonly (readonly string[])[];
}

/** Returns the stems of a text's words, and of the parts of its words in camel case. */
export const stemsOf = (text: string): readonly string[] => plainStemsOf(withCamelCaseParts(text));

/** Returns the stems of a text's words. A word in camel case is one word. */
const plainStemsOf = (text: string): readonly string[] => wordsOf(text.replace(SUB_THING, "sub")).map(stemOf);

/**
 * Matches the beginning of a word for a part of a thing, which is another thing: a "sub-task" (Kanboard, Jira) or
 * "sub-issue" (GitHub) is no task and no issue.
 */
const SUB_THING = /(?<![\p{L}\d])sub[-‐](?=\p{L}{3})/giu;

/**
 * Returns the stems of a text in two readings: with each word in camel case as one word, and split into its
 * parts. A task fits the text if it contains all stems of one reading.
 */
export function readingsOf(text: string): readonly (readonly string[])[] {
  const [joined, split] = [plainStemsOf(text), plainStemsOf(spacedCamelCase(text))];
  return joined.length === split.length ? [joined] : [joined, split];
}

/**
 * Returns the English translation of a word without its plural ending: "category" for "categories" and "Kategorien",
 * "box" for "boxes". So a task in one language fits a page in another.
 */
export function stemOf(written: string): string {
  const word = inEnglish(written);
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2);
  return stem(word);
}

/**
 * Splits a task into its operation ("create"), its thing ("room") and the names of objects ("Blue").
 *
 * @param values the values that are given for the task's fields. Their words in the task are not the thing.
 */
export function taskWords(target: string, values: Iterable<unknown> = []): TaskWords {
  let text = target;
  for (const value of values) text = withoutValue(text, value);
  const joined = withJoinedVerb(text);
  if (joined !== undefined && foreignOperation(wordsOf(joined)[0] ?? "") !== undefined) text = joined;
  const named: string[] = [];
  const keep = (_: string, ...groups: unknown[]): string => {
    named.push(String(groups.find((group) => typeof group === "string") ?? ""));
    return " ";
  };
  text = text.replace(QUOTED, keep).replace(CALLED, keep).replace(SUB_THING, "sub");
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let operation: Operation | undefined;
  const things: string[] = [];
  const objects: string[] = [];
  let head: string | undefined;
  let isHeadOpen = true;
  let part: string | undefined;
  const plain = words.map((word) => wordsOf(word)[0] ?? "");
  // A word of an English task is never a verb of another language: "create a modifier" is about a modifier.
  const isForeign =
    plain.every((word) => !OPERATIONS.has(word)) &&
    plain.some((word) => foreignOperation(word) !== undefined);
  for (const [at, written] of words.entries()) {
    const word = plain[at] ?? "";
    const meant = isForeign
      ? foreignOperation(word)
      : (OPERATIONS.get(word) ?? (at === 0 ? FIRST_WORDS.get(word) : undefined));
    if (meant) operation ??= meant;
    else if (PREPOSITIONS.has(word) || (isForeign && FOREIGN_PREPOSITIONS.has(word)))
      isHeadOpen = head === undefined;
    else if (WORDS_FOR_PARTS_OF_SITES.has(word)) part ??= stemOf(word);
    else if (word !== "" && !FILLERS.has(word) && !(isForeign && FOREIGN_FILLERS.has(word))) {
      things.push(stemOf(word));
      // A number stands for a single object and not for a kind of things: "order 17" is about an order.
      if (isHeadOpen && !/^\d+$/.test(word)) head = stemOf(word);
      // German nouns are capitalised, so a capital letter does not indicate a name in another language.
      if (/^\d+$/.test(word) || (at > 0 && !isForeign && isCapitalised(written))) objects.push(stemOf(word));
    }
  }
  if (part !== undefined && operation !== undefined && things.length === 0) {
    things.push(part);
    head = part;
  }
  // The name of a new object is on no page yet, so a form need not have it. A number, such as that of an
  // order, is required in any case.
  const names =
    operation === "create"
      ? objects.filter((word) => /^\d+$/.test(word))
      : [
          ...named.flatMap(plainStemsOf),
          ...(operation === undefined ? objects.filter((word) => /^\d+$/.test(word)) : objects),
        ];
  return { operation, things: [...new Set(things)], head, names: [...new Set(names)] };
}

/** Returns the stems of each name in quotation marks. */
export function quotedNames(target: string): readonly (readonly string[])[] {
  return [...target.matchAll(QUOTED)].map(([, ...groups]) =>
    plainStemsOf(groups.find((group) => group) ?? ""),
  );
}

/**
 * Replaces each word for the thing of a task that a map lacks by its parts, if the map has both: "testplan" becomes
 * "test" and "plan".
 */
export function withKnownParts(task: TaskWords, isKnown: (word: string) => boolean): TaskWords {
  const partsOf = (word: string): readonly string[] =>
    isKnown(word) ? [word] : (knownParts(word, isKnown) ?? [word]);
  const { things, head } = task;
  return { ...task, things: [...new Set(things.flatMap(partsOf))], head: head && partsOf(head).at(-1) };
}

/**
 * Joins two neighbouring words for the task's thing if a form has the joined word: "membership type" becomes
 * "membershiptype" for an address such as `/membershiptype/add`. Addresses join words in pretix and in Django's
 * administration (`/auth/accesstoken/add/`).
 */
export function withJoinedWords(task: TaskWords, isKnown: (word: string) => boolean): TaskWords {
  const { things, head } = task;
  const at = things.findIndex((word, index) => isKnown(word + (things[index + 1] ?? "")) && !isKnown(word));
  const [first, second] = [things[at], things[at + 1]];
  if (first === undefined || second === undefined) return task;
  const joined = first + second;
  return {
    ...task,
    things: things.toSpliced(at, 2, joined),
    head: head === first || head === second ? joined : head,
  };
}

/** The words of an address, as stems. */
export interface AddressWords {
  readonly all: readonly string[];
  /**
   * Words of the last path segment that is neither an id nor only an operation: `orders` in
   * `/orders/17/edit`.
   */
  readonly last: readonly string[];
  /** Words of the segment before `last`: `tags` in `/tags/weather`. */
  readonly folder: readonly string[];
  readonly operation: Operation | undefined;
  /** Whether the address ends with the id of an object, as `/orders/17` does. */
  readonly isObject: boolean;
  /** Whether its parameters say that an object is edited: `?controller=Task&action=update&task_id=4` (Kanboard). */
  readonly editsObject: boolean;
}

/** Returns the words of a page's or form's address. */
export function addressWords(address: string): AddressWords {
  const url = URL.parse(address, "http://page.invalid/");
  if (!url)
    return { all: [], last: [], folder: [], operation: undefined, isObject: false, editsObject: false };
  // In an application with client-side routes, the route names the page: `/ghost/#/members/17`.
  const [route = "", routeQuery = ""] = routeOf(address).replace(/^#!?/, "").split("?", 2);
  const parts = percentDecoded(`${url.pathname}/${route}`)
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replace(/\.[A-Za-z]{1,5}$/, ""));
  const isProgram = route === "" && PROGRAM.test(url.pathname);
  const operations = parts.map((part) => operationOfPart(part));
  const words = parts.filter((part, at) => !isIdentifier(part) && !isOperationAlone(part, operations[at]));
  const end = parts.at(-1);
  const action = url.searchParams.get("action") ?? new URLSearchParams(routeQuery).get("action") ?? "";
  const queried = OPERATIONS.get(action.toLowerCase());
  const isObject = end !== undefined && isIdentifier(end);
  return {
    all: stemsOf([...parts, percentDecoded(url.search), percentDecoded(routeQuery)].join(" ")),
    last: isProgram ? [] : stemsOf(words.at(-1) ?? ""),
    folder: isProgram ? [] : stemsOf(words.at(-2) ?? ""),
    operation: operations.at(-1) ?? queried ?? (isObject ? "edit" : undefined),
    isObject,
    editsObject: queried === "edit" && [...url.searchParams].some(([name, value]) => isIdOf(name, value)),
  };
}

/** Whether a parameter has the id of an object: `task_id=4` (Kanboard), `record=8a4f…` (SuiteCRM), `id=4`. */
const isIdOf = (name: string, value: string): boolean =>
  /(?:^|[-_])id$|Id$|^record$/u.test(name) && isIdentifier(value);

/**
 * Returns the operation in a name or in the caption of a button: in its first word, as in "New room", or in
 * another language in its last word, as in "Raum bearbeiten".
 */
export function operationOfName(name: string): Operation | undefined {
  const words = wordsOf(name);
  return operationOf(words[0] ?? "") ?? (words.length > 1 ? foreignOperation(words.at(-1) ?? "") : undefined);
}

/**
 * Returns how well a task fits what a form is about: the share (0 to 1) of the words for the task's thing (such as
 * "room") that belong to the form. Returns 0 if the form is about another thing, or does something else with it.
 */
export function subjectFit(task: TaskWords, subject: Subject): number {
  const { things, names, head, operation } = task;
  if (things.length + names.length === 0 || isOtherOperation(operation, subject.operation)) return 0;
  const wanted = new Set([...things, ...names]);
  // If the task asks for an operation on an object, the labels of the fields do not count. They do not say
  // what the object is: a team may have the field "Room".
  const labels = operation === undefined ? subject.labels : [];
  const labelled = new Set(labels.filter((words) => words.every((word) => wanted.has(word))).flat());
  const isAny = (word: string): boolean =>
    subject.own.has(word) || subject.other.has(word) || labelled.has(word);
  if (!names.every((word) => subject.own.has(word) || subject.other.has(word))) return 0;
  if (head !== undefined && !subject.place.has(head) && !labelled.has(head)) return 0;
  if (things.length > 0 && !things.some((word) => subject.own.has(word))) return 0;
  const share = things.length === 0 ? 1 : things.filter(isAny).length / things.length;
  return share >= TASK_FIT ? share : 0;
}

/**
 * Whether a form does something else than the task asks for. A form without a word for an operation may do
 * anything but remove.
 */
function isOtherOperation(asked: Operation | undefined, offered: Operation | undefined): boolean {
  if (offered === "remove" || asked === "remove") return asked !== offered;
  return asked !== undefined && offered !== undefined && asked !== offered;
}

function withoutValue(text: string, value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return text;
  const words = wordsOf(String(value));
  if (words.length === 0) return text;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("[^\\p{L}\\p{N}]+")}(?![\\p{L}\\p{N}])`, "giu");
  const rest = text.replace(pattern, " ");
  // In "create a room" with the value "Room", the value is also the word for the thing. Without this word,
  // the text would name no thing, so the whole text is used.
  return taskWords(rest).things.length > 0 ? rest : text;
}

const isCapitalised = (word: string): boolean => /^\p{Lu}/u.test(word);

/** Whether a part of an address identifies an object: it has a digit, or is a code such as `ARSKWG`. */
export const isIdentifier = (part: string): boolean => /\d/.test(part) || /^[A-Z]{4,}$/.test(part);

const isOperationAlone = (part: string, operation: Operation | undefined): boolean =>
  operation !== undefined && wordsOf(part).length === 1;

/**
 * Returns the operation of an address part such as `new`, `user-new` and `add_user`. A part such as
 * `edit-tags` has none: in WordPress, it is a list of tags.
 */
export function operationOfPart(part: string): Operation | undefined {
  const words = wordsOf(part.replaceAll("_", " "));
  const [first = ""] = words;
  const found = operationOf(words.at(-1) ?? "") ?? operationOf(first);
  return words.length > 1 && operationOf(first) === "edit" ? undefined : found;
}
