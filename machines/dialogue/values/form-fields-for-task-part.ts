/**
 * Finds the form fields and options to which a part of a task may refer, such as "for Ines Ruiz", "420 net"
 * or "as a letter".
 */
import { nameOf } from "../../session/page/element-line.ts";
import { placeOf } from "../../session/page/headings-and-text-around-elements.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import type { FormGroup } from "../elements/field-groups-of-page.ts";
import { personNameFields } from "../elements/person-name-fields.ts";
import { isField, isList, isTick, namesOf } from "../elements/texts-that-may-name-element.ts";
import { spaced, wordsOfPage } from "../elements/words-of-page-elements.ts";
import { leadVerb } from "../task/clause-verb.ts";
import { FIRST_VERB } from "../task/split-task-at-imperatives.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS, plainText } from "../words/normalised-words.ts";
import { CREATING, SENDING, switchesOff, VERBS } from "../words/task-word-lists.ts";
import { wordScore } from "../words/word-similarity.ts";
import { expectedKinds, kindOf } from "./fit-of-value-kind-to-field.ts";
import { optionsOf } from "./list-options-for-clause.ts";
import { namesBirth } from "./value-in-format-of-field.ts";
import { boundField } from "./values-bound-by-field-index.ts";
import {
  ACTION,
  codeAt,
  does,
  GENERIC,
  NAME_FIELD,
  NONE,
  NOT_TEXT,
  NOTHING,
  namesWithCaption,
  ON_IT,
  PERSON_FIELD,
  PLACE_FIELD,
  PREPOSITION,
  TOPIC_FIELD,
  TYPES,
  UNITS,
  WISHING,
  withoutArticle,
  withoutMark,
} from "./words-that-assign-form-values.ts";

/** Minimum score (0 to 1) at which a word of a task counts as a word of an element. */
const SAME = 0.75;
/** Scores (0 to 1) of a field or control for a part of the task, by what they have in common. */
const SCORES = {
  bound: 1,
  option: 0.97,
  tick: 0.95,
  named: 0.95,
  button: 0.93,
  /** Score if the first part of the task only names what the form is for, such as "Book an appointment". */
  title: 0.8,
  /** Score if a later part of the task only names what the form is for, such as "in the adoption". */
  context: 0.6,
  kind: 0.85,
  role: 0.8,
  /**
   * Score for the words before the noun of the thing that is created: "chemistry" in "Add a chemistry
   * lesson".
   */
  thing: 0.75,
} as const;
/**
 * Score factor for a part of the task with words that are in the names of the form, but not in the names of
 * the chosen field.
 */
const OF_FORM = 0.8;
/**
 * Deduction from the score of a quoted text in a text area. A field for a subject or a title has no such deduction.
 */
const OF_TEXTAREA = 0.08;
/**
 * Deduction from the score of a quoted text in a field for the name of a thing. A field for a subject or a title has
 * no such deduction.
 */
const OF_NAME = 0.1;
/**
 * The value that a field, list or button of a form gets. It is "on" or "off" for a checkbox, and "on" for a
 * button.
 */
export interface Assigned {
  readonly element: HighlightedElement;
  readonly value: string;
  readonly score: number;
}

/**
 * The form fields and options to which a part (fragment) of a task may refer, with a score (0 to 1). If the part only
 * names the thing to create, such as "an invoice", there are none.
 */
export interface FragmentReading {
  readonly entries: readonly Assigned[];
  readonly score: number;
}

/** Scores the fields and controls of one form for each part (fragment) of a task. */
export class FragmentScorer {
  readonly #group: FormGroup;
  readonly #names: ReadonlyMap<HighlightedElement, readonly string[]>;
  readonly #kinds: ReadonlyMap<HighlightedElement, ReadonlySet<string>>;

  constructor(group: FormGroup) {
    this.#group = group;
    this.#names = new Map(
      [...group.entries, ...group.buttons].map((one) => [one, namesWithCaption(one)] as const),
    );
    this.#kinds = new Map(
      wordsOfPage(group.entries).map((one) => [one.element, expectedKinds(one)] as const),
    );
  }

  read(tokens: readonly Token[], isFirst: boolean): readonly FragmentReading[] {
    const [first, value] = tokens;
    const index = boundField(first?.text ?? "");
    if (index !== undefined) {
      const element = this.#group.entries.find((one) => one.highlight_index === index);
      return element && value && tokens.length === 2
        ? [{ entries: [{ element, value: value.text, score: 1 }], score: SCORES.bound }]
        : [];
    }
    if (tokens.some(({ text }) => boundField(text) !== undefined)) return [];
    const words = contentWords(textOf(tokens)).filter((word) => !FILLERS.has(word) && word !== "by");
    const values = this.#group.entries.flatMap(
      (element) => this.#entryFor(element, tokens, words, isFirst) ?? [],
    );
    const person = this.#personFor(isFirst ? this.#afterTitle(tokens) : tokens);
    const one = ({ element, value, score }: Assigned): FragmentReading => ({
      entries: [{ element, value, score }],
      score,
    });
    const buttons = isFirst ? [] : this.#buttonsFor(tokens, words);
    const title = this.#isTitle(tokens, words, isFirst);
    return [
      ...values.map(one),
      ...(person ? [person] : []),
      ...buttons.map(one),
      ...(title ? [{ entries: [], score: isFirst ? SCORES.title : SCORES.context }] : []),
    ];
  }

  /**
   * If the form has fields for the first and the last name of a person, splits a full name into values for
   * these fields.
   */
  #personFor(tokens: readonly Token[]): FragmentReading | undefined {
    const [lead] = tokens;
    const body = lead && PREPOSITION.test(lead.plain) ? tokens.slice(1) : tokens;
    const [first, last, ...rest] = body;
    // In "Set the company name to Acme Holding", the words after "to" are the value of a field, and not the
    // name of a person.
    if (lead?.plain === "to") return undefined;
    const isName = [first, last].every((one) => one?.kind === "word" && /^\p{Lu}/u.test(one.text));
    if (!first || !last || rest.length > 0 || !isName || FIRST_VERB.test(first.text)) return undefined;
    const fields = personNameFields(this.#group.entries);
    if (fields === undefined) return undefined;
    const score = SCORES.kind;
    return {
      entries: [
        { element: fields.first, value: first.text, score },
        { element: fields.last, value: last.text, score },
      ],
      score,
    };
  }

  /**
   * Returns the button of the form whose name contains the verb of the task, such as "Create" for "Create a
   * ticket".
   */
  submit(tokens: readonly Token[]): HighlightedElement | undefined {
    const start = tokens.findIndex(({ plain }) => !FILLERS.has(plain) && !WISHING.has(plain));
    const word = start < 0 ? undefined : leadVerb(tokens.slice(start));
    if (word === undefined || word === "new") return undefined;
    const own = this.#group.buttons.filter((button) => does(word, button));
    const length = (button: HighlightedElement): number => contentWords(nameOf(button)).length;
    const [shortest, next] = own.toSorted((one, other) => length(one) - length(other));
    return next === undefined || (shortest && length(shortest) < length(next)) ? shortest : undefined;
  }

  #explains(word: string): boolean {
    return wordScore(word, this.#group.words) >= SAME;
  }

  /** Whether a part of the task only names what the form is for, and gives no value. */
  #isTitle(tokens: readonly Token[], words: readonly string[], isFirst: boolean): boolean {
    if (tokens.some(({ kind }) => kind === "value")) return false;
    if (tokens.every(({ plain }) => PREPOSITION.test(plain))) return true;
    const named = words.filter((word) => !GENERIC.has(word));
    return (isFirst || named.length > 0) && named.every((word) => this.#explains(word));
  }

  #buttonsFor(tokens: readonly Token[], words: readonly string[]): readonly Assigned[] {
    // A part such as "in the adoption" only names what the form is for. It is no order to press the button
    // "Confirm adoption".
    if (tokens.some(({ kind }) => kind === "value") || /^(?:in|im|dans|en)$/u.test(tokens[0]?.plain ?? ""))
      return [];
    return this.#group.buttons.flatMap((element) => {
      const names = this.#names.get(element) ?? [];
      const own = contentWords(nameOf(element));
      const [verb] = words;
      const has = verb !== undefined && wordScore(verb, own) >= ACTION;
      const rest = words.filter((word) => !GENERIC.has(word) || SENDING.has(word));
      const isAll = rest.every((word) => wordScore(word, [...names, ...own]) > 0 || this.#explains(word));
      const share = own.filter((word) => wordScore(word, words) > 0).length / Math.max(1, own.length);
      return has && isAll ? [{ element, value: "on", score: SCORES.button * (0.8 + 0.2 * share) }] : [];
    });
  }

  #entryFor(
    element: HighlightedElement,
    tokens: readonly Token[],
    words: readonly string[],
    isFirst: boolean,
  ): Assigned | undefined {
    if (isList(element)) return this.#optionFor(element, tokens, words);
    if (isTick(element)) return this.#tickFor(element, tokens, withFillersOf(element, tokens, words));
    return isField(element) ? this.#valueFor(element, tokens, isFirst) : undefined;
  }

  #optionFor(
    element: HighlightedElement,
    tokens: readonly Token[],
    words: readonly string[],
  ): Assigned | undefined {
    const said = words.filter((word) => !GENERIC.has(word));
    const text = ` ${plainText(textOf(tokens))} `;
    // A list without a name often has its title as first option: "Month". This option is never chosen.
    const current = nameOf(element) === "" ? element.options?.[0] : undefined;
    const found = optionsOf(element)
      .filter(({ option }) => option !== current)
      .map(({ option, words: own }) => {
        // "Zone B" also names the option "Zone B, Harbour", so only the part of an option before a comma or
        // parenthesis is compared.
        const [head = ""] = plainText(option).split(/,|\(/u);
        const isHead = head.includes(" ") && text.includes(` ${head.trim()} `);
        return { option, words: isHead ? contentWords(head) : own };
      })
      .filter(({ words: own }) => own.length > 0 && own.every((word) => words.includes(word)));
    const longest = found.toSorted((one, other) => other.words.length - one.words.length)[0];
    if (longest === undefined || tokens.some(({ isQuoted }) => isQuoted)) return undefined;
    const rest = said.filter((word) => !longest.words.includes(word));
    const other = rest.filter((word) => !this.#nameHas(element, word));
    // If the part contains a name that is no word of the option, the name is a value of another field: "Noa"
    // in "assign LM-018 to Noa". Then the option is not chosen, even if the page shows this name.
    const names = tokens.slice(1).flatMap(({ text: one }) => (/^\p{Lu}/u.test(one) ? contentWords(one) : []));
    const isRead = !other.some((word) => names.includes(word)) && other.every((word) => this.#explains(word));
    const score = SCORES.option * shareOf(other.length, said.length);
    return isRead ? { element, value: longest.option, score } : undefined;
  }

  #tickFor(
    element: HighlightedElement,
    tokens: readonly Token[],
    words: readonly string[],
  ): Assigned | undefined {
    if (tokens.some(({ isQuoted }) => isQuoted)) return undefined;
    const name = nameOf(element) === "" ? (placeOf(element).caption.at(-1) ?? "") : nameOf(element);
    const isTwin = (one: HighlightedElement): boolean => nameOf(one) === nameOf(element);
    if (
      this.#group.entries.find((one) => isTick(one) && isTwin(one) && name === nameOf(one)) !== element &&
      name === nameOf(element)
    )
      return undefined;
    const own = contentWords(spaced(name).replace(/\([^)]*\)/gu, " "));
    const said = words.filter((word) => !GENERIC.has(word) || own.includes(word));
    if (NONE.test(name.trim()) && tokens.some(({ plain }) => NOTHING.test(plain))) {
      const group = contentWords(this.#captionOfGroup(element));
      const isMeant = said.length > 0 && said.some((word) => group.includes(word));
      return isMeant ? { element, value: "on", score: SCORES.tick } : undefined;
    }
    const meant = said.filter((word) => wordScore(word, own) >= SAME);
    if (meant.length === 0) return undefined;
    const special = own.filter((word) => !GENERIC.has(word));
    const strong = special.length > 0 ? special : own;
    const isWhole = strong.length > 0 && strong.every((word) => wordScore(word, words) >= SAME);
    const isOnly =
      !isWhole &&
      this.#group.entries.every(
        (one) => isTwin(one) || !meant.every((word) => wordScore(word, contentWords(nameOf(one))) >= SAME),
      );
    const isOnIt = ON_IT.test(tokens[1]?.plain ?? "") || isParticiple(tokens);
    const rest = said.filter((word, at) => !meant.includes(word) && !(isOnIt && at === 0));
    if (!(isWhole || isOnly) || !rest.every((word) => this.#explains(word))) return undefined;
    const value = switchesOff(textOf(tokens), name) ? "off" : "on";
    const score = (isWhole ? SCORES.tick : SCORES.tick - 0.1) * shareOf(rest.length, said.length);
    return { element, value, score };
  }

  #nameHas(element: HighlightedElement, word: string): boolean {
    return wordScore(word, this.#names.get(element) ?? []) >= SAME;
  }

  /**
   * Returns the text before the first of several adjacent fields of the same type, such as checkboxes. It is
   * their common caption.
   */
  #captionOfGroup(element: HighlightedElement): string {
    const { entries } = this.#group;
    let at = entries.indexOf(element);
    while (at > 0 && entries[at - 1]?.type === element.type) at--;
    const first = entries[at];
    return first ? `${placeOf(first).caption.at(-1) ?? ""}` : "";
  }

  #valueFor(element: HighlightedElement, tokens: readonly Token[], isFirst: boolean): Assigned | undefined {
    const [first] = tokens;
    const lead = first && PREPOSITION.test(first.plain) && first.kind === "word" ? first.plain : "";
    const body = withoutArticle(lead === "" ? tokens : tokens.slice(1));
    if (body.length === 0) return undefined;
    const isOf = (token: Token | undefined): boolean =>
      token?.kind === "word" &&
      contentWords(token.plain).some((word) => !FILLERS.has(word) && this.#nameHas(element, word));
    const named = this.#namedValue(element, body, isOf);
    if (named) return named;
    const text = textOf(body);
    const [only] = body;
    const label = contentWords(nameOf(element));
    const isCount = /^\d+$/u.test(element.value ?? "");
    const isText =
      !isCount && !TYPES.test(element.type ?? "") && !NOT_TEXT.some((word) => label.includes(word));
    const kinds = this.#kinds.get(element) ?? new Set<string>();
    const place = (score: number): Assigned => ({ element, value: text, score });
    const values = body.filter(({ kind }) => kind === "value");
    const [value] = values;
    if (only && value && values.length === 1 && !value.isQuoted) {
      const kind = kindOf(value.text);
      if (kind === "date" && namesBirth(nameOf(element)) && !namesBirth(textOf(tokens))) return undefined;
      const rest = body.filter((token) => token !== value).flatMap(({ plain }) => contentWords(plain));
      const isRead = rest.every(
        (word) => FILLERS.has(word) || GENERIC.has(word) || this.#nameHas(element, word) || UNITS.has(word),
      );
      const isStreet = kindOf(text) === "street" && kinds.has("street");
      if (isStreet && (isText || this.#nameHas(element, "street"))) return place(SCORES.kind);
      const isTyped = element.type === kind;
      if (kinds.has(kind) && isRead && kind !== "text")
        return { element, value: value.text, score: SCORES.kind + (isTyped ? TYPED : 0) };
      if (kind !== "text") return undefined;
    }
    if (!isText) return undefined;
    const words = this.#names.get(element) ?? [];
    const has = (list: readonly string[]): number => list.findIndex((word) => words.includes(word));
    if (
      value?.isQuoted &&
      body.slice(0, -1).every(({ plain }) => VERBS.MESSAGE.has(contentWords(plain)[0] ?? ""))
    ) {
      const isMessage = element.tagName === "textarea";
      if (body.length > 1) return isMessage ? { element, value: value.text, score: SCORES.kind } : undefined;
      const at = has(TOPIC_FIELD);
      const rank =
        at >= 0 ? at * 0.005 : isMessage ? OF_TEXTAREA : has(NAME_FIELD) >= 0 ? OF_NAME : undefined;
      return rank === undefined ? undefined : place(SCORES.role - rank);
    }
    if (values.length > 0) return undefined;
    const isName = body.every(({ text: one }) =>
      /^[\p{Lu}\d&.-]|^(?:de|van|von|der|la|am|of|and)$/u.test(one),
    );
    if (isFirst) return this.#thingFor(element, body) ?? this.#nameAfterTitle(element, body);
    if (isName && only && /^\p{Lu}/u.test(only.text)) {
      const isPlace = /^(?:in|at|im|dans|en)$/u.test(lead);
      const person = has(PERSON_FIELD);
      if (isPlace) return has(PLACE_FIELD) < 0 ? undefined : place(SCORES.role);
      if (person >= 0 && /^(?:for|to|as|with|fur|an|pour|para|per|a|)$/u.test(lead))
        return place(
          (kinds.has("person") && kindOf(text) === "person" ? SCORES.kind : SCORES.role) -
            person * 0.002 -
            (lead === "" && body.length === 1 ? ONE_NAME : 0),
        );
      if (lead === "" && has(PLACE_FIELD) >= 0) return place(SCORES.role - 0.1);
      const isForPerson = /^(?:for|fur|pour|para|per)$/u.test(lead) && kindOf(text) === "person";
      if (isForPerson && this.#onlyText() === element) return place(SCORES.role - ONLY_TEXT);
    }
    return undefined;
  }

  /** Returns the field of the form that takes any text, if there is exactly one; otherwise `undefined`. */
  #onlyText(): HighlightedElement | undefined {
    const texts = this.#group.entries.filter(
      (one) =>
        isField(one) &&
        !isList(one) &&
        !isTick(one) &&
        one.tagName === "input" &&
        (one.type === "text" || one.type === "") &&
        !NOT_TEXT.some((word) => contentWords(nameOf(one)).includes(word)),
    );
    return texts.length === 1 ? texts[0] : undefined;
  }

  /**
   * Returns the value for a field if the part consists of the kind of a thing and its name: "Lea Roth" for "Guest Lea
   * Roth".
   */
  #nameAfterTitle(element: HighlightedElement, body: readonly Token[]): Assigned | undefined {
    const name = this.#afterTitle(body);
    const found = name === body ? undefined : this.#valueFor(element, name, false);
    return found && { ...found, score: found.score - AFTER_TITLE };
  }

  /**
   * Removes the words before the first capitalised word, such as "Guest" in "Guest Lea Roth", if they are
   * only verbs or words that the form shows. Otherwise returns the tokens unchanged.
   */
  #afterTitle(tokens: readonly Token[]): readonly Token[] {
    const from = tokens.findIndex(({ text }, at) => at > 0 && /^\p{Lu}/u.test(text));
    const isTitle = tokens
      .slice(0, from)
      .every(({ plain }) => contentWords(plain).every((word) => GENERIC.has(word) || this.#explains(word)));
    return from < 1 || !isTitle ? tokens : tokens.slice(from);
  }

  /**
   * If the element is the first text field of the form, assigns to it the words before the noun of the created thing:
   * "chemistry" for "Add a chemistry lesson".
   */
  #thingFor(element: HighlightedElement, body: readonly Token[]): Assigned | undefined {
    const [verb, ...rest] = body;
    const own = verb === undefined ? [] : contentWords(verb.plain);
    const main = this.#group.entries.find((one) => isField(one) && !TYPES.test(one.type ?? ""));
    const isMade = own.some((word) => CREATING.has(word)) && this.submit(body) !== undefined;
    if (
      !isMade ||
      main !== element ||
      ![...TOPIC_FIELD, ...NAME_FIELD].some((word) => this.#nameHas(element, word))
    )
      return undefined;
    const thing = withoutArticle(rest);
    const isKnown = ({ plain }: Token): boolean => contentWords(plain).every((word) => this.#explains(word));
    const end = thing.findLastIndex((token) => !isKnown(token)) + 1;
    const value = thing.slice(0, end);
    if (value.length === 0 || value.length > THING || value.some(({ kind }) => kind !== "word"))
      return undefined;
    return { element, value: textOf(value), score: SCORES.thing };
  }

  /** Returns the value next to words that name the field: "Berlin" in "place Berlin", "420" in "420 net". */
  #namedValue(
    element: HighlightedElement,
    body: readonly Token[],
    isOf: (token: Token | undefined) => boolean,
  ): Assigned | undefined {
    const values = body.filter(({ kind }) => kind === "value");
    const [value] = values;
    if (body.some(({ kind }) => kind === "separator")) return undefined;
    if (value && values.length === 1) {
      const words = body
        .filter((token) => token !== value)
        .flatMap(({ plain }) => contentWords(plain))
        .filter(
          (word) =>
            this.#nameHas(element, word) || !(FILLERS.has(word) || UNITS.has(word) || GENERIC.has(word)),
        );
      const share = words.filter((word) => this.#nameHas(element, word)).length / words.length;
      if (words.length === 0 || share < NAMED_SHARE) return undefined;
      const type = element.type ?? "";
      if (TYPES.test(type) && type !== kindOf(value.text)) return undefined;
      const score = SCORES.named * (0.7 + 0.3 * share) - (element.tagName === "textarea" ? LONG_TEXT : 0);
      return { element, value: codeAt(value, body), score };
    }
    const start = body.findIndex((token) => !isOf(token));
    const after = start < 1 ? [] : withoutMark(body.slice(start));
    const [one] = after;
    const isText = after.every(({ kind, text }) => kind === "word" && /^[\p{Lu}\d]/u.test(text));
    if (one === undefined || !isText || TYPES.test(element.type ?? "")) return undefined;
    const said = body.slice(0, start).flatMap(({ plain }) => contentWords(plain));
    const names = namesOf(element).map(({ text }) => contentWords(text.replace(/\([^)]*\)/gu, " ")));
    const share = Math.max(
      0,
      ...names.map(
        (own) => own.filter((word) => wordScore(word, said) >= SAME).length / Math.max(1, own.length),
      ),
    );
    return { element, value: textOf(after), score: SCORES.named * (0.7 + 0.3 * share) };
  }
}

/**
 * Fillers such as "card" are usually left out of the words of a task. Adds them to the words of a part if the name of
 * the control contains them, as the option "Card" does.
 */
const withFillersOf = (
  element: HighlightedElement,
  tokens: readonly Token[],
  words: readonly string[],
): readonly string[] => {
  const name = contentWords(nameOf(element)).filter((word) => FILLERS.has(word));
  return [...words, ...name.filter((word) => tokens.some(({ plain }) => plain === word))];
};

/**
 * Whether a part of the task starts with a participle and a preposition, as "paying by card". The participle
 * is then no part of a value.
 */
const isParticiple = ([first, second]: readonly Token[]): boolean =>
  /^\p{Ll}{3,}ing$/u.test(first?.text ?? "") && /^(?:by|with|in|on)$/u.test(second?.plain ?? "");

/** Deduction for a text area, so that a one-line field with the same words in its name is preferred. */
const LONG_TEXT = 0.01;
/** Minimum share (0 to 1) of the words next to a value that the name of the value's field must contain. */
const NAMED_SHARE = 0.6;

/**
 * Deduction for a single name without a word such as "for" before it, because such a name may be the name of
 * a place.
 */
const ONE_NAME = 0.15;
/** Deduction for the name of a person in a field that is only chosen because no other field takes a text. */
const ONLY_TEXT = 0.02;
/**
 * Deduction from the score of a name that directly follows the kind of a thing, such as "Lea Roth" in "Guest
 * Lea Roth".
 */
const AFTER_TITLE = 0.05;
/**
 * Maximum number of words before the noun of a created thing that are taken as the thing's name: "Winter" in
 * "the Winter campaign".
 */
const THING = 3;
/** Addition to the score of a field or option whose type or unit fits the value. */
const TYPED = 0.05;
/**
 * Returns the score factor for a part of the task. Words that occur only in names of the form, and not of a
 * field, reduce the factor in proportion to their share.
 */
const shareOf = (other: number, all: number): number => 1 - (1 - OF_FORM) * (all === 0 ? 0 : other / all);
