/**
 * Finds the readings of a clause on a page: each is an element with what is done to it. A reading explains the
 * words of the clause by the names, the surroundings, the kind and the options of the element.
 */
import { nameOf } from "../session/element-line.ts";
import type { HighlightedElement } from "../session/page-snapshot.ts";
import { type Token, textOf } from "./clause-tokens.ts";
import {
  AS,
  CREATING,
  EDITING,
  EMPTY,
  NAMED,
  OF,
  OFF,
  RENAMING,
  SENDING,
  TAIL,
  TO,
  TYPING,
  VERBS,
} from "./clause-words.ts";
import { isField, isList, isTick, opensMenu, roleOf } from "./element-names.ts";
import { type ElementWords, explained } from "./element-words.ts";
import { withoutCards, wordScore } from "./target-match.ts";
import { contentWords, FILLERS, plainText } from "./target-words.ts";
import { ordinalIn } from "./task-imperatives.ts";
import { fitOf, kindOf, kindWords } from "./value-fit.ts";

export interface Reading {
  readonly element: HighlightedElement;
  readonly kind: "click" | "check" | "set" | "select" | "search";
  readonly value: string | null;
  readonly off: boolean;
  readonly score: number;
  /** Number of words of the clause that the element explains. */
  readonly name: number;
}

export interface Page {
  readonly words: readonly ElementWords[];
  readonly weightOf: (word: string) => number;
  /** Whether an element of the page has the word in a name or in its surroundings. */
  readonly isKnown: (word: string) => boolean;
  /** Whether a name of an element has exactly the word. */
  readonly hasWord: (word: string) => boolean;
}

/** Weight of a word that no element of the page has. */
const UNKNOWN = 0.6;

/** Minimum score of a reading. */
const MIN_SCORE = 0.4;
/** Factor for an element that does not have the verb of the clause, if another element has it. */
const OTHER_ACTION = 0.6;
/** Factor for a link in "Trash it": the link with this name opens a folder. */
const LINK_TO_IT = 0.85;
/** Factor for an element without a state, if the verb is "tick". */
const UNTICKABLE = 0.75;
/** Factor for a control to click, if the verb puts a text into a field. */
const NOT_TYPED = 0.6;
const TICKING = /^(?:tick|untick|check|uncheck|mark|unmark|markiere|hake|coche|decoche|marca|desmarca)$/u;
/** Maximum number of readings of a clause that are kept. */
const KEPT = 6;
/** Weight of the value in the score of a reading, next to 1 for a word that only one element has. */
const VALUE = 1.5;
/** Additional weight of each further word of an option. */
const VALUE_WORD = 0.75;
/** Weight of a value of the clause, next to 1 for a word. */
const ATOM = 1.5;
const BETA_SQUARED = 4;

type VerbClass = keyof typeof VERBS;

export function verbClasses(tokens: readonly Token[]): ReadonlySet<VerbClass> {
  const own = new Set<VerbClass>();
  for (const { kind, plain } of tokens) {
    if (kind !== "word") continue;
    const [word = ""] = contentWords(plain);
    for (const name of Object.keys(VERBS) as VerbClass[]) if (VERBS[name].has(word)) own.add(name);
  }
  return own;
}

export function readingsOf(tokens: readonly Token[], page: Page): readonly Reading[] {
  const verbs = verbClasses(tokens);
  const found = page.words.flatMap((words): readonly Reading[] => {
    const { element } = words;
    if (element.disabled) return [];
    if (isList(element)) return listReadings(tokens, words, page);
    if (isField(element)) return fieldReadings(tokens, words, page, verbs);
    return clickReadings(tokens, words, page);
  });
  const action = actionOf(tokens);
  const acting =
    action === undefined
      ? []
      : page.words.filter((one) => explained(action, one).name >= 0.7).map(({ element }) => element);
  const verb = tokens[0] && described(tokens.slice(0, 1))[0];
  const editing =
    verb !== undefined && EDITING.has(verb)
      ? page.words.filter((one) => explained(verb, one).name >= 0.7).map(({ element }) => element)
      : [];
  const hasPronoun = tokens.some(({ kind, plain }) => kind === "word" && PRONOUN.test(plain));
  const isTicking = TICKING.test(tokens[0]?.plain ?? "");
  /** How well the kind of the element suits the verb of the clause. */
  const suits = ({ element, kind }: Reading): number => {
    if (verb !== undefined && TYPING.has(verb) && (kind === "click" || kind === "check")) return NOT_TYPED;
    if (kind === "check" || kind === "select") return 1;
    const opensFolder = kind === "click" && element.tagName === "a" && element.attributes.href !== "#";
    const edits = editing.length === 0 || kind !== "click" || editing.includes(element) ? 1 : OTHER_ACTION;
    const link = action !== undefined && hasPronoun && opensFolder ? LINK_TO_IT : 1;
    // A field whose value is submitted afterwards has no name for the verb.
    const isSubmitted =
      kind === "set" && action !== undefined && (CREATING.has(action) || SENDING.has(action));
    const acts = acting.length === 0 || acting.includes(element) || isSubmitted ? 1 : OTHER_ACTION;
    return link * acts * edits * (isTicking ? UNTICKABLE : 1);
  };
  const best = new Map<HighlightedElement, Reading>();
  for (const one of found) {
    const score = one.score * suits(one);
    if (score >= MIN_SCORE && score > (best.get(one.element)?.score ?? 0))
      best.set(one.element, { ...one, score });
  }
  const sorted = [...best.values()].toSorted((one, other) => other.score - one.score);
  const alone = sorted.length === 0 ? onlyControl(tokens, page) : undefined;
  if (alone) return [alone];
  const cards = withoutCards(
    { words: textOf(tokens), use: "any" },
    sorted,
    page.words.map(({ element }) => element),
  );
  const kept = sorted.filter(
    ({ element, kind }) => kind !== "click" || cards.some((one) => one.element === element),
  );
  return ordered(tokens, kept).slice(0, KEPT);
}

/** Score of a control that the clause describes only by its row, if the row has no other control. */
const ONLY_CONTROL = 0.62;

/** The only control in the row of the thing that the clause names: "Hook up Notion". */
function onlyControl(tokens: readonly Token[], page: Page): Reading | undefined {
  const words = describedOn(
    tokens.filter(({ text, kind }, at) => kind === "value" || (at > 0 && /^[\p{Lu}\d]/u.test(text))),
    page,
  );
  const inRow = page.words.filter(
    ({ element, context }) =>
      words.length > 0 &&
      !element.disabled &&
      !isField(element) &&
      !isList(element) &&
      words.every((word) => context.includes(word)),
  );
  const [only] = inRow;
  return only && inRow.length === 1
    ? {
        element: only.element,
        kind: isTick(only.element) ? "check" : "click",
        value: null,
        off: false,
        score: ONLY_CONTROL,
        name: 0,
      }
    : undefined;
}

/** The reading that the clause names by its position: "the second picture". */
function ordered(tokens: readonly Token[], readings: readonly Reading[]): readonly Reading[] {
  const ordinal = ordinalOf(tokens);
  const [best] = readings;
  if (ordinal === undefined || !best || best.kind === "set" || best.kind === "search") return readings;
  const alike = readings
    .filter(({ score, kind, element }) => {
      const isTwin = nameOf(element) !== "" && nameOf(element) === nameOf(best.element);
      return kind === best.kind && best.score - score < (isTwin ? ALIKE.named : ALIKE.other);
    })
    .toSorted((one, other) => one.element.highlight_index - other.element.highlight_index);
  const picked = alike.at(ordinal.at > 0 ? ordinal.at - 1 : ordinal.at);
  return picked ? [picked, ...readings.filter((one) => !alike.includes(one))] : readings;
}

const ordinalOf = (tokens: readonly Token[]) =>
  ordinalIn(
    tokens
      .filter(({ kind }) => kind === "word")
      .map(({ text }) => text)
      .join(" "),
  );

/** Maximum difference of the scores of elements among which a position counts, with the same name and with others. */
const ALIKE = { named: 0.15, other: 0.04 } as const;

/** The first word of a clause, if it is a verb that the name of an element must have. */
function actionOf(tokens: readonly Token[]): string | undefined {
  const [token] = tokens.filter(({ kind }) => kind === "word");
  if (!token || tokens[0] !== token) return undefined;
  const [word] = described([token]);
  return word === undefined || Object.values(VERBS).some((set) => set !== VERBS.MESSAGE && set.has(word))
    ? undefined
    : word;
}

/** Words of tokens that describe something, without fillers. */
function described(tokens: readonly Token[]): readonly string[] {
  return contentWords(textOf(tokens)).filter((word) => !FILLERS.has(word) && !EMPTY.has(word));
}

/** Words of tokens that describe something. Two words that the page writes as one are one: "time zone". */
function describedOn(tokens: readonly Token[], page: Page): readonly string[] {
  const words = described(tokens);
  return words.flatMap((word, at) => {
    const before = words[at - 1];
    if (before !== undefined && page.hasWord(`${before}${word}`)) return [];
    const next = words[at + 1];
    return next !== undefined && page.hasWord(`${word}${next}`) ? [`${word}${next}`] : [word];
  });
}

/** Weight of a name, a number or a quoted word, next to 1 for another word. */
const EMPHASIS = 1.6;
/** Weight of the verb of a clause if it is none of the verbs that open or set something. */
const ACTION = 2;

/** How much each word of a clause counts. */
function emphasisOf(tokens: readonly Token[], isStart: boolean): (word: string) => number {
  const strong = new Set(
    tokens.flatMap((one, at) =>
      one.kind === "value" || /[#\d]/u.test(one.text) || (/^\p{Lu}/u.test(one.text) && (at > 0 || !isStart))
        ? contentWords(one.text)
        : [],
    ),
  );
  const [first] = described(tokens.filter(({ kind }) => kind === "word").slice(0, 3));
  const at = tokens.findIndex(({ kind, plain }, index) => index > 0 && kind === "word" && OF.test(plain));
  const heads = new Set(at < 0 ? [] : described(tokens.slice(0, at)));
  const isAction =
    first !== undefined &&
    !strong.has(first) &&
    !Object.values(VERBS).some((set) => set !== VERBS.MESSAGE && set.has(first));
  return (word) =>
    strong.has(word) ? EMPHASIS : (isAction && word === first) || heads.has(word) ? ACTION : 1;
}

/** The verb of a clause: the first word that is a verb of some class. */
export function verbOf(tokens: readonly Token[]): string | undefined {
  return tokens
    .filter(({ kind }) => kind === "word")
    .map(({ plain }) => contentWords(plain)[0] ?? "")
    .find((word) => Object.values(VERBS).some((set) => set.has(word)));
}

interface Described {
  readonly recall: number;
  readonly name: number;
  readonly precision: number;
}

function describe(
  words: readonly string[],
  free: readonly ReadonlySet<string>[],
  own: ElementWords,
  { weightOf }: Pick<Page, "weightOf">,
  also: readonly string[] = [],
): Described & { readonly weight: number } {
  let [sum, got, named] = [0, 0, 0];
  for (const word of words) {
    const isFree = free.some((set) => set.has(word));
    const { name, any } = explained(word, own);
    if (isFree && name < 0.7) continue;
    const weight = weightOf(word) * (isFree ? 0.5 : 1);
    sum += weight;
    got += weight * any;
    named += weight * name;
  }
  let precision = 0;
  for (const { words: has, weight } of own.names) {
    const text = has.filter((word) => !/^\d+$/u.test(word));
    if (text.length === 0) continue;
    precision = Math.max(
      precision,
      (weight * text.reduce((total, word) => total + wordScore(word, [...words, ...also]), 0)) / text.length,
    );
  }
  return { weight: sum, recall: sum === 0 ? 0 : got / sum, name: sum === 0 ? 0 : named / sum, precision };
}

const fScore = (recall: number, precision: number): number =>
  recall === 0 || precision === 0
    ? 0
    : ((1 + BETA_SQUARED) * recall * precision) / (BETA_SQUARED * precision + recall);

/** Words for the kind of a control, with the controls of this kind. */
const ROLE_HINTS: Readonly<Record<string, (element: HighlightedElement) => boolean>> = {
  button: (element) => roleOf(element) === "button",
  link: ({ tagName }) => tagName === "a",
  tab: (element) =>
    roleOf(element) === "tab" ||
    /tab/u.test(element.attributes["data-toggle"] ?? element.attributes["data-bs-toggle"] ?? ""),
  menu: (element) => opensMenu(element) || /ellipsis|dots|more|kebab|bars/u.test(element.icon ?? ""),
  checkbox: isTick,
  switch: isTick,
  toggle: isTick,
};
const HINT_WEIGHT = 0.4;

function clickReadings(tokens: readonly Token[], own: ElementWords, page: Page): readonly Reading[] {
  const { element } = own;
  const isTicked = isTick(element);
  const text = textOf(tokens);
  const position = contentWords(ordinalOf(tokens)?.word ?? "");
  const words = describedOn(tokens, page).filter((word) => !position.includes(word));
  const emphasis = emphasisOf(tokens, true);
  const quoted = new Set(tokens.flatMap(({ isQuoted, text: own }) => (isQuoted ? contentWords(own) : [])));
  const free = isTicked ? [VERBS.TICK, VERBS.SET, VERBS.CHOOSE, VERBS.OPEN] : [VERBS.OPEN, VERBS.CHOOSE];
  const hints = tokens.flatMap(({ plain }) => ROLE_HINTS[plain] ?? []);
  const isHinted = hints.some((hint) => hint(element));
  const said = describe(words, free, own, {
    weightOf: (word) =>
      page.weightOf(word) * (page.isKnown(word) ? emphasis(word) : quoted.has(word) ? EMPHASIS : UNKNOWN),
  });
  const { name, precision } = said;
  const extra = hints.length > 0 ? HINT_WEIGHT : 0;
  const weight = said.weight + extra;
  if (said.weight === 0 && !isHinted) return [];
  const recall = (said.recall * said.weight + (isHinted ? extra : 0)) / weight;
  const isNameless =
    (isHinted && own.names.every((one) => one.weight < 1)) ||
    own.names.length === 0 ||
    (isTicked && name === 0);
  const score = isNameless ? recall * 0.9 : name === 0 ? 0 : fScore(recall, 0.2 + 0.8 * precision);
  const off = isTicked && OFF.test(text);
  const isDone = isTicked && element.checked === !off && roleOf(element) !== "radio";
  return score < MIN_SCORE
    ? []
    : [
        {
          element,
          kind: isTicked ? "check" : "click",
          value: null,
          off,
          score: isDone ? score * 0.8 : score,
          name,
        },
      ];
}

function listReadings(tokens: readonly Token[], own: ElementWords, page: Page): readonly Reading[] {
  const { element } = own;
  const text = textOf(tokens);
  const said = new Set(contentWords(text));
  const all = element.options ?? [];
  const counts = Map.groupBy(
    all.flatMap((option) => [...new Set(contentWords(option))]),
    (word) => word,
  );
  // Words that many options have, and codes in brackets, are not named: "(UTC+00:00) London".
  const named = (option: string): readonly string[] => {
    const own = contentWords(option.replace(/\([^)]*\)|\[[^\]]*\]/gu, " "));
    const distinct = own.filter(
      (word) => all.length < 4 || (counts.get(word)?.length ?? 0) <= all.length / 3,
    );
    return distinct.length > 0 ? distinct : own;
  };
  const options = all.flatMap((option) => {
    const words = named(option);
    const isSaid = words.length > 0 && words.every((word) => said.has(word)) && plainText(option) !== "";
    return isSaid ? [{ option, words }] : [];
  });
  return options.map(({ option, words }) => {
    const rest = describedOn(tokens, page).filter((word) => !words.includes(word));
    const { recall, weight, name } = describe(rest, [VERBS.OPEN, VERBS.SET, VERBS.CHOOSE], own, {
      weightOf: (word) => page.weightOf(word) * (page.isKnown(word) ? 1 : UNKNOWN),
    });
    const value = VALUE + (words.length - 1) * VALUE_WORD;
    const score = (value + weight * recall) / (value + weight);
    const isOther = contentWords(own.names[0]?.words.join(" ") ?? "").every((word) => words.includes(word));
    return {
      element,
      kind: "select" as const,
      value: option,
      off: false,
      score: score * (weight === 0 ? 0.85 : 0.98) * (isOther ? 0.8 : 1),
      name: name,
    };
  });
}

const isSearch = ({ type, role, placeholder = "", attributes }: HighlightedElement): boolean =>
  type === "search" ||
  role === "searchbox" ||
  /search|find|suche|recherche|buscar/iu.test(
    `${placeholder} ${attributes.name ?? ""} ${attributes.id ?? ""}`,
  );

const isMessage = (element: HighlightedElement): boolean =>
  element.tagName === "textarea" ||
  element.attributes.contenteditable === "true" ||
  /message|comment|reply|write|type|chat|nachricht|kommentar|commentaire|mensaje|comentario/iu.test(
    `${element.placeholder ?? ""} ${element.labelText ?? ""} ${element.ariaLabel ?? ""}`,
  );

function fieldReadings(
  tokens: readonly Token[],
  own: ElementWords,
  page: Page,
  verbs: ReadonlySet<VerbClass>,
): readonly Reading[] {
  const { element } = own;
  if (element.type === "password") return [];
  const isSearching = verbs.has("SEARCH") && isSearch(element);
  const verb = verbOf(tokens) ?? "";
  const isMessaging = VERBS.MESSAGE.has(verb) && isMessage(element);
  const free = [
    VERBS.SET,
    VERBS.OPEN,
    ...(isSearching ? [VERBS.SEARCH] : []),
    ...(isMessaging ? [new Set([verb])] : []),
  ];
  const isRenamed = RENAMING.has(verb) && element.attributes.contenteditable === "true";
  const named = isRenamed
    ? { ...own, names: [...own.names, { words: contentWords(element.textContent ?? ""), weight: 1 }] }
    : own;
  const found: Reading[] = [];
  for (const span of spansOf(tokens, named)) {
    const before = tokens.slice(0, span.from);
    const after = tokens.slice(span.to);
    const value = textOf(tokens.slice(span.from, span.to));
    const place = isSearch(element) === isSearching ? 1 : 0.7;
    const isNaming = NAMED.test(before.at(-1)?.plain ?? "") || NAMED.test(before.at(-2)?.plain ?? "");
    const rest = [...describedOn([...before, BREAK, ...after], page), ...(isNaming ? ["name"] : [])];
    const atoms = [...before, ...after].filter(({ kind }) => kind === "value").length;
    const { recall, weight, name, precision } = describe(
      rest,
      [...free, kindWords(value)],
      named,
      { weightOf: (word) => page.weightOf(word) * (page.isKnown(word) ? 1 : UNKNOWN) },
      isSearching ? contentWords("search") : [],
    );
    const isNamed = name > 0;
    const recalled = (VALUE + weight * recall) / (VALUE + weight + ATOM * atoms);
    const kindFit = fitOf(value, own);
    const isTyped = kindFit > 1;
    const plain = isSearching ? 0.92 : isMessaging || isTyped ? 0.85 : verbs.has("SEARCH") ? 0.65 : 0.6;
    const isBare = !isNamed && span.isText && !isTyped && !isMessaging && !isSearching && !verbs.has("SET");
    const base = isBare
      ? BARE
      : isNamed
        ? recalled * (0.8 + 0.2 * precision)
        : weight === 0
          ? plain
          : recalled * plain;
    // A page may give a field the wrong type, so the name counts more.
    const fit = place * (isNamed && precision >= 0.8 ? Math.max(kindFit, NAMED_FIT) : kindFit);
    const isShown = span.isText && contentWords(value).every((word) => page.isKnown(word));
    // A word that names a control, such as "bold", is no value for an editor.
    const isControl = span.isText && value === value.toLowerCase() && contentWords(value).every(page.hasWord);
    const isReference = (!isNamed && isShown) || isControl;
    const score =
      base *
      span.prior *
      fit *
      (isReference ? REFERENCE : 1) *
      (element.attributes.contenteditable !== "true" || isKey(element, page) === isRenamed ? 1 : OTHER_CELL);
    if (score >= MIN_SCORE)
      found.push({ element, kind: isSearching ? "search" : "set", value, off: false, score, name });
  }
  return found;
}

/** Nouns after the name of a field, which do not belong to its value: "VAT number EE101234567". */
const FIELD_NOUN = /^(?:number|no|code|address|name|date|id|field)$/u;
/** How likely a text of a known kind is a value, such as the name of a country. */
const KIND = 0.93;
/** Score of a text without a verb in a field that the clause does not name. */
const BARE = 0.45;
/** Minimum factor for the kind of a value in a field that the clause names. */
const NAMED_FIT = 0.8;
/** Factor for a value whose words are on the page: they rather refer to a thing of the page. */
const REFERENCE = 0.7;
/** Factor for the key cell of an editable row as the place for a value, and the value cell for a new key. */
const OTHER_CELL = 0.85;

/** Whether an editable text is the key of its row: another editable text follows in the row. */
function isKey({ attributes, xpath }: HighlightedElement, { words }: Page): boolean {
  const [row] = /^.*\/tr(?:\[\d+\])?(?=\/)/u.exec(xpath) ?? [];
  if (attributes.contenteditable !== "true" || row === undefined) return false;
  const last = words.findLast(
    ({ element }) => element.attributes.contenteditable === "true" && element.xpath.startsWith(`${row}/`),
  );
  return last !== undefined && last.element.xpath !== xpath;
}

interface Span {
  /** Whether the span has only words, and no value such as a number or a quoted text. */
  readonly isText: boolean;
  readonly from: number;
  readonly to: number;
  readonly prior: number;
}

const SEARCHING = /^(?:search|look|find|query|such|suche|suchen|cherche|busca)$/u;
const BREAK: Token = { text: "|", kind: "separator", isQuoted: false, plain: "|" };
const PRONOUN = /^(?:it|this|that|them|him|her|us|es|le|la|lo)$/u;
const MEMBERS = /^(?:of|the|de|von)$/u;

/** The parts of a clause that may be a value for a field, with how likely each is a value. */
function spansOf(tokens: readonly Token[], own: ElementWords): readonly Span[] {
  const spans: Span[] = [];
  let end = tokens.length;
  while (end > 0 && (TAIL.test(tokens[end - 1]?.plain ?? "") || tokens[end - 1]?.kind === "separator")) end--;
  const isVerb = (at: number): boolean => {
    const [word = ""] = contentWords(tokens[at]?.plain ?? "");
    return [VERBS.SET, VERBS.SEARCH, VERBS.MESSAGE, VERBS.CHOOSE].some((set) => set.has(word));
  };
  const hasVerb = (until: number): boolean =>
    tokens.slice(0, until).some((_, at) => isVerb(at) || isOfField(at));
  const isOfField = (at: number): boolean =>
    tokens[at]?.kind === "word" &&
    ((FIELD_NOUN.test(tokens[at]?.plain ?? "") && at > 0 && isOfField(at - 1)) || isNamedBy(at));
  const isNamedBy = (at: number): boolean =>
    contentWords(tokens[at]?.plain ?? "").some(
      (word) => !FILLERS.has(word) && !EMPTY.has(word) && explained(word, own).name >= 0.7,
    );
  for (let from = 0; from < end; from++) {
    const first = tokens[from];
    if (!first || first.kind === "separator") continue;
    if (first.kind === "value") spans.push({ from, to: from + 1, prior: 1, isText: false });
    if (first.isQuoted || /@|:\/\//u.test(first.text)) continue;
    if (isVerb(from) && first.text === first.text.toLowerCase()) continue;
    if (from === 0 && first.kind === "word" && isVerb(from)) continue;
    const before = tokens[from - 1];
    const opens = !before
      ? /^(?:is|are|as|ist|est|es)$/u.test(
          tokens.slice(from).find(({ plain }) => AS.test(plain))?.plain ?? "",
        )
        ? 0.9
        : 0.6
      : before.kind === "separator"
        ? /[:=]/u.test(before.text)
          ? 1
          : 0.5
        : TO.test(before.plain)
          ? /^(?:the|on|for|from|by|at|in|a|das)$/u.test(before.plain)
            ? SEARCHING.test(tokens[0]?.plain ?? "") && before.plain !== "the"
              ? 1
              : hasVerb(from - 1)
                ? 0.9
                : 0.6
            : 1
          : PRONOUN.test(before.plain)
            ? 0.9
            : isVerb(from - 1)
              ? 0.95
              : isOfField(from - 1)
                ? 0.97
                : 0.5;
    if (isOfField(from) && first.kind === "word") continue;
    for (let to = from + 1; to <= end; to++) {
      const last = tokens[to - 1];
      if (!last || last.kind === "separator") continue;
      if (to === from + 1 && first.kind === "value") continue;
      const inside = tokens.slice(from, to);
      const isJoin = (one: Token | undefined): boolean =>
        one !== undefined && one.kind === "word" && (TO.test(one.plain) || AS.test(one.plain));
      if (isJoin(last)) continue;
      const joins = inside.slice(1).filter((one) => isJoin(one) && !MEMBERS.test(one.plain)).length;
      if (inside.some(({ isQuoted }) => isQuoted)) break;
      if (
        (FILLERS.has(first.plain) && first.text === first.text.toLowerCase()) ||
        (to - from === 1 && FILLERS.has(last.plain))
      )
        continue;
      const next = tokens[to];
      const closes =
        to === end || next?.kind === "separator"
          ? 1
          : AS.test(next?.plain ?? "") && tokens.slice(to).some((_, at) => isOfField(to + at))
            ? 0.98
            : 0.5;
      const separators = inside.filter(({ kind }) => kind === "separator").length;
      const hasField = inside.some((_, at) => isOfField(from + at));
      const isText = inside.every(({ kind }) => kind === "word");
      const isKind = kindOf(textOf(inside)) !== "text";
      const isLower = isText && inside.every(({ text }) => text === text.toLowerCase());
      const prior =
        opens *
        closes *
        0.75 ** separators *
        (hasField ? 0.7 : 1) *
        0.85 ** joins *
        (isLower ? 0.93 : 1) *
        0.98;
      if (prior >= 0.45 || isKind)
        spans.push({ from, to, prior: isKind ? Math.max(prior, KIND) : prior, isText });
    }
  }
  return spans;
}
