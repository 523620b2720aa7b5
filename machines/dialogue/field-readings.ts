/** Finds the readings of a clause that put a value into a text field. */
import type { HighlightedElement } from "../session/page-snapshot.ts";
import {
  CALLED,
  describe,
  describedOn,
  MIN_SCORE,
  type Page,
  type Reading,
  UNKNOWN,
  VALUE,
  type VerbClass,
  verbClasses,
  verbOf,
} from "./clause-description.ts";
import { type Token, textOf } from "./clause-tokens.ts";
import { EMPTY, NAMED, RENAMING, VERBS } from "./clause-words.ts";
import { type ElementWords, explained, rowPath } from "./element-words.ts";
import { contentWords, FILLERS } from "./target-words.ts";
import { expectedKinds, fitOf, kindOf, kindWords, type ValueKind } from "./value-fit.ts";
import { type Span, spansOf } from "./value-spans.ts";

/** Weight of a value of the clause that the reading leaves out, next to 1 for a word. */
const LEFT_VALUE = 1.5;
/** Score of a text without a verb in a field that the clause does not name. */
const BARE = 0.45;
/** Scores of a value in a field that the clause does not name, by what makes the field likely. */
const UNNAMED = {
  /** The clause searches, and the field is for searches. */
  search: 0.92,
  /** The clause sends a message and the field is for messages, or the field takes the kind of the value. */
  fitting: 0.85,
  /** The clause searches, and the field may be for searches. */
  maySearch: 0.65,
  other: 0.6,
} as const;
/** Factor for a field for searches if the clause does not search, and the reverse. */
const OTHER_PURPOSE = 0.7;
/** Share of the score of a named field that does not depend on how much of its name is said. */
const RECALLED = 0.8;
/** Minimum share of the name of a field that is said, at which its kind of value counts less. */
const FULL_NAME = 0.8;
/** Minimum factor for the kind of a value in a field that the clause names. */
const NAMED_FIT = 0.8;
/** Factor for a value whose words are on the page: they rather refer to a thing of the page. */
const REFERENCE = 0.7;
/** Factor for the key cell of an editable row as the place for a value, and the value cell for a new key. */
const OTHER_CELL = 0.85;

/** Maximum error of a product of factors. */
const ROUNDING = 1e-9;

const BREAK: Token = { text: "|", kind: "separator", isQuoted: false, plain: "|" };

const isSearch = ({ type, role, placeholder = "", attributes }: HighlightedElement): boolean =>
  type === "search" ||
  role === "searchbox" ||
  /search|find|suche|recherche|buscar/iu.test(
    `${placeholder} ${attributes.name ?? ""} ${attributes.id ?? ""}`,
  );

const isEditable = ({ attributes }: HighlightedElement): boolean => attributes.contenteditable === "true";

const isMessage = (element: HighlightedElement): boolean =>
  element.tagName === "textarea" ||
  isEditable(element) ||
  /message|comment|reply|write|type|chat|nachricht|kommentar|commentaire|mensaje|comentario/iu.test(
    `${element.placeholder ?? ""} ${element.labelText ?? ""} ${element.ariaLabel ?? ""}`,
  );

/** Whether an editable text is the key of its row: another editable text follows in the row. */
function isKey(element: HighlightedElement, { words }: Page): boolean {
  const row = rowPath(element);
  if (!isEditable(element) || row === undefined) return false;
  const last = words.findLast((one) => isEditable(one.element) && one.element.xpath.startsWith(`${row}/`));
  return last !== undefined && last.element.xpath !== element.xpath;
}

/** A part of a clause as a value, with what does not depend on the field. */
interface Value {
  readonly text: string;
  readonly kind: ValueKind;
  readonly kindWords: ReadonlySet<string>;
  /** Words that describe the field. */
  readonly rest: readonly string[];
  /** Number of values outside of the part. */
  readonly others: number;
  /** Whether each word is on the page. */
  readonly isShown: boolean;
  /** Whether the text is the name of a control, such as "bold", and so no value for an editor. */
  readonly isControl: boolean;
}

/** A field with what does not depend on the value. */
interface ScoredField {
  readonly owned: ElementWords;
  /** The field with the names by which the clause may refer to it. */
  readonly named: ElementWords;
  /** Factor for the cell of an editable row. */
  readonly cell: number;
  readonly isSearching: boolean;
  readonly isMessaging: boolean;
  /** Verbs that any such field may have. */
  readonly free: readonly ReadonlySet<string>[];
  /** Factor for what the field is for. */
  readonly purpose: number;
}

/** The readings of one clause in the fields of a page. Fields of one kind that the clause does not name share them. */
export class FieldReader {
  readonly #tokens: readonly Token[];
  readonly #page: Page;
  readonly #verbs: ReadonlySet<VerbClass>;
  readonly #verb: string;
  readonly #values = new Map<number, Value>();
  readonly #unrelated = new Map<string, Reading | undefined>();
  readonly #unnamedSpans: readonly Span[];

  constructor(tokens: readonly Token[], page: Page) {
    this.#tokens = tokens;
    this.#page = page;
    this.#verbs = verbClasses(tokens);
    this.#verb = verbOf(tokens) ?? "";
    this.#unnamedSpans = spansOf(tokens, () => false);
  }

  /** @param isRelated whether the field explains a word of the clause */
  read(owned: ElementWords, isRelated: boolean): Reading | undefined {
    const { element } = owned;
    if (element.type === "password") return undefined;
    if (isRelated || isEditable(element)) return this.#best(owned);
    const key = [isSearch(element), isMessage(element), element.type, ...expectedKinds(owned)].join(" ");
    if (!this.#unrelated.has(key)) this.#unrelated.set(key, this.#best(owned));
    const shared = this.#unrelated.get(key);
    return shared && { ...shared, element };
  }

  #best(owned: ElementWords): Reading | undefined {
    const { element } = owned;
    const isRenamed = RENAMING.has(this.#verb) && isEditable(element);
    const named = isRenamed
      ? {
          ...owned,
          names: [...owned.names, { words: contentWords(element.textContent ?? ""), weight: 1 }],
          explained: new Map(),
        }
      : owned;
    const isCalled = ({ plain }: Token): boolean =>
      contentWords(plain).some(
        (word) =>
          !FILLERS.has(word) && !EMPTY.has(word) && explained(word, named, this.#page.similar).name >= CALLED,
      );
    const spans = this.#tokens.some(isCalled) ? spansOf(this.#tokens, isCalled) : this.#unnamedSpans;
    const cell = !isEditable(element) || isKey(element, this.#page) === isRenamed ? 1 : OTHER_CELL;
    const purpose = this.#purposeOf(element);
    let best: Reading | undefined;
    for (const span of spans) {
      const fit = Math.max(NAMED_FIT, fitOf(this.#valueOf(span).kind, owned));
      // The other factors are at most 1, so this span cannot be better.
      if (span.prior * fit * cell * purpose.purpose + ROUNDING < (best?.score ?? MIN_SCORE)) continue;
      const reading = this.#scored(span, { owned, named, cell, ...purpose });
      if (reading.score >= MIN_SCORE && reading.score > (best?.score ?? 0)) best = reading;
    }
    return best;
  }

  /** What the clause and a field are both for. */
  #purposeOf(element: HighlightedElement) {
    const isSearching = this.#verbs.has("SEARCH") && isSearch(element);
    const isMessaging = VERBS.MESSAGE.has(this.#verb) && isMessage(element);
    const free = [
      VERBS.SET,
      VERBS.OPEN,
      ...(isSearching ? [VERBS.SEARCH] : []),
      ...(isMessaging ? [new Set([this.#verb])] : []),
    ];
    return {
      isSearching,
      isMessaging,
      free,
      purpose: isSearch(element) === isSearching ? 1 : OTHER_PURPOSE,
    };
  }

  #scored(span: Span, { owned, named, cell, isSearching, isMessaging, free, purpose }: ScoredField): Reading {
    const { element } = owned;
    this.#page.onScored();
    const { weightOf, isKnown, similar } = this.#page;
    const value = this.#valueOf(span);
    const { recall, weight, name, precision } = describe(
      value.rest,
      [...free, value.kindWords],
      named,
      { similar, weightOf: (word) => weightOf(word) * (isKnown(word) ? 1 : UNKNOWN) },
      isSearching ? contentWords("search") : [],
    );
    const kindFit = fitOf(value.kind, owned);
    const isTyped = kindFit > 1;
    const isNamed = name > 0;
    const isBare =
      !isNamed && span.isText && !isTyped && !isMessaging && !isSearching && !this.#verbs.has("SET");
    const recalled = (VALUE + weight * recall) / (VALUE + weight + LEFT_VALUE * value.others);
    const unnamed = isSearching
      ? UNNAMED.search
      : isMessaging || isTyped
        ? UNNAMED.fitting
        : this.#verbs.has("SEARCH")
          ? UNNAMED.maySearch
          : UNNAMED.other;
    const base = (): number => {
      if (isBare) return BARE;
      if (isNamed) return recalled * (RECALLED + (1 - RECALLED) * precision);
      return weight === 0 ? unnamed : recalled * unnamed;
    };
    // A page may give a field the wrong type, so the name counts more.
    const fit = isNamed && precision >= FULL_NAME ? Math.max(kindFit, NAMED_FIT) : kindFit;
    const isReference = span.isText && ((!isNamed && value.isShown) || value.isControl);
    const score = base() * span.prior * purpose * fit * (isReference ? REFERENCE : 1) * cell;
    return { element, kind: isSearching ? "search" : "set", value: value.text, off: false, score, name };
  }

  #valueOf({ from, to }: Span): Value {
    const key = from * (this.#tokens.length + 1) + to;
    const known = this.#values.get(key);
    if (known) return known;
    const [page, tokens] = [this.#page, this.#tokens];
    const [before, after] = [tokens.slice(0, from), tokens.slice(to)];
    const text = textOf(tokens.slice(from, to));
    const words = contentWords(text);
    const isNaming = NAMED.test(before.at(-1)?.plain ?? "") || NAMED.test(before.at(-2)?.plain ?? "");
    const value: Value = {
      text,
      kind: kindOf(text),
      kindWords: kindWords(text),
      rest: [...describedOn([...before, BREAK, ...after], page), ...(isNaming ? ["name"] : [])],
      others: [...before, ...after].filter(({ kind }) => kind === "value").length,
      isShown: words.every(page.isKnown),
      isControl: text === text.toLowerCase() && words.every(page.hasWord),
    };
    this.#values.set(key, value);
    return value;
  }
}
