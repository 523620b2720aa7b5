/**
 * Finds the text fields into which a clause may put a value: "Berlin" into the field "City" for "set the city
 * to Berlin".
 */
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
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
} from "../elements/clause-match-score.ts";
import { isField, rowPath } from "../elements/texts-that-may-name-element.ts";
import { type ElementWords, explained, type ValueKind } from "../elements/words-of-page-elements.ts";
import { changes, enters, leadVerb } from "../task/clause-verb.ts";
import { type Token, textOf } from "../task/split-task-into-tokens.ts";
import { expectedKinds, fitOf, kindOf, kindWords } from "../values/fit-of-value-kind-to-field.ts";
import { type Span, spansOf } from "../values/possible-values-in-clause.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { EMPTY, NAMED, RENAMING, SUBMITTING, VERBS } from "../words/task-word-lists.ts";

/**
 * A task clause may contain several values, but a field takes only one. Each value that is left over lowers the score
 * of the field by this weight. An ordinary word that is left over has the weight 1.
 */
const LEFT_VALUE = 1.5;
/**
 * Score (0 to 1) of a field for a value of ordinary words, if the clause names no field and has no verb such
 * as "set".
 */
const BARE = 0.45;
/** Scores of a field that the task clause does not name, by the reason why the clause probably means it. */
const UNNAMED = {
  /** Score if the clause has a verb such as "search", and the field is a search field. */
  search: 0.92,
  /**
   * Score of a field for messages if the clause sends a message, or of a field for the kind of value that the clause
   * contains, such as an e-mail address.
   */
  fitting: 0.85,
  /** Score of a field that does not look like a search field, if the clause has a verb such as "search". */
  maySearch: 0.65,
  other: 0.6,
} as const;
/**
 * Score factor of a search field for a clause that does not search, and of any other field for a clause that
 * searches.
 */
const OTHER_PURPOSE = 0.7;
/**
 * Part (0 to 1) of its score that a named field keeps even if the task clause contains only little of the field's
 * name. The rest of the score grows with the share of the name that the clause contains.
 */
const RECALLED = 0.8;
/**
 * If a task clause contains at least this share (0 to 1) of a field's name, it counts as naming the field in full.
 * Even a value of the wrong kind then gets at least the score factor `NAMED_FIT`.
 */
const FULL_NAME = 0.8;
/**
 * The factor for how well a value fits a field (`fitOf`) is raised to at least this number (0 to 1) if the task
 * clause contains the full name of the field.
 */
const NAMED_FIT = 0.8;
/**
 * Score factor of a value whose words are already on the page. Such words probably mean a thing on the page, such as
 * a product, and are not typed.
 */
const REFERENCE = 0.7;
/**
 * Matches a number with at least three digits, which may identify something such as a ticket. A shorter
 * number is an amount.
 */
const IDENTIFIER = /^\d{3,}$/u;
/**
 * Score factor of a value in a clause whose verb enters no text. An example is the value "Ada" in "Print the
 * mail from Ada".
 */
const NOT_ENTERED = 0.6;
/**
 * Minimum score factor of a text that the user probably wants to type, such as the name of a person. For such a
 * text, it replaces the lower factors `NOT_ENTERED` and `NOT_MARKED`.
 */
const TYPED_TEXT = 0.85;
/**
 * Score factor for lower-case words directly after a verb such as "change", when they are read as a value. In
 * "change the name", the words "the name" are the field: a new value would follow "to".
 */
const NOT_MARKED = 0.65;
/**
 * Score factor of the less likely cell of an editable row with a key and a value. A task clause that renames
 * something means the key; any other clause means the value.
 */
const OTHER_CELL = 0.85;

/** Tolerance for rounding errors when two scores are compared. */
const ROUNDING = 1e-9;

/** Words that may precede a value in a task, such as "to" in "Rename it to Notes". */
const MARKER =
  /^(?:to|as|is|with|into|be|named|called|zu|auf|als|mit|en|a|como|con|come|comme|saying|says?|text)$/u;

const BREAK: Token = { text: "|", kind: "separator", isQuoted: false, plain: "|" };

export const isSearch = ({ type, role, placeholder = "", attributes }: HighlightedElement): boolean =>
  (type === "search" && role !== "combobox") ||
  role === "searchbox" ||
  /search|find|suche|recherche|buscar/iu.test(
    `${placeholder} ${attributes.name ?? ""} ${attributes.id ?? ""}`,
  ) ||
  FILTERING.test(placeholder);

/** Matches the placeholder of a field that filters a list: "Filter by name" (Keycloak), "Filter Tasks" (Camunda). */
const FILTERING = /^\s*(?:filter|filtern|filtrer|filtrar|filtra)(?!\p{L})/iu;

const isEditable = ({ attributes }: HighlightedElement): boolean => attributes.contenteditable === "true";

const isMessage = (element: HighlightedElement): boolean =>
  element.tagName === "textarea" ||
  isEditable(element) ||
  /message|comment|reply|write|type|chat|nachricht|kommentar|commentaire|mensaje|comentario|messaggio|commento/iu.test(
    `${element.placeholder ?? ""} ${element.labelText ?? ""} ${element.ariaLabel ?? ""}`,
  );

/**
 * Whether an editable text is a key in a table row of keys and values. This is the case if another editable
 * text follows in the row.
 */
function isKey(element: HighlightedElement, { words }: Page): boolean {
  const row = rowPath(element);
  if (!isEditable(element) || row === undefined) return false;
  const last = words.findLast((one) => isEditable(one.element) && one.element.xpath.startsWith(`${row}/`));
  return last !== undefined && last.element.xpath !== element.xpath;
}

/**
 * Words of a task clause that may be the value of a field, with properties that do not depend on the field. They are
 * computed only once.
 */
interface Value {
  readonly text: string;
  readonly kind: ValueKind;
  readonly kindWords: ReadonlySet<string>;
  /** The words of the task clause without the value. They describe the field. */
  readonly rest: readonly string[];
  /** Number of other values in the same task clause. */
  readonly others: number;
  /** Whether all words of the value are on the page. */
  readonly isShown: boolean;
  /**
   * Whether the text is the name of a control, such as "bold". Such a text probably refers to the control,
   * and is not typed into a field.
   */
  readonly isControl: boolean;
}

/**
 * A text field, with properties that do not depend on the value. They are computed once for all values of a task
 * clause.
 */
interface ScoredField {
  readonly owned: ElementWords;
  /**
   * The field with all names by which the task clause may refer to it. If the clause renames something, the field's
   * current content is one of these names.
   */
  readonly named: ElementWords;
  /** Score factor for a field that is a cell of an editable table row; 1 for other fields. */
  readonly cell: number;
  readonly isSearching: boolean;
  readonly isMessaging: boolean;
  /**
   * Sets of words that a clause may contain although the names of the field lack them. One is the set of
   * verbs that give a value to a field, such as "set".
   */
  readonly free: readonly ReadonlySet<string>[];
  /** Score factor for the purpose of the field: lower for a search field when the task clause does not search. */
  readonly purpose: number;
}

/**
 * Scores the text fields of a page for one task clause. Fields that the clause does not name have equal scores if
 * they are of the same kind, so their score is computed once.
 */
export class FieldReader {
  readonly #tokens: readonly Token[];
  readonly #page: Page;
  readonly #verbs: ReadonlySet<VerbClass>;
  readonly #verb: string;
  readonly #values = new Map<number, Value>();
  readonly #unrelated = new Map<string, Reading | undefined>();
  readonly #unnamedSpans: readonly Span[];
  readonly #lead: string | undefined;
  /** Whether the task clause starts with a verb that submits a form, or with a verb that occurs on the page. */
  readonly #isOnPage: boolean;
  /** Whether the clause starts with a verb such as "search" and the page has a search field. */
  readonly #isSearch: boolean;

  constructor(tokens: readonly Token[], page: Page) {
    this.#tokens = tokens;
    this.#page = page;
    this.#verbs = verbClasses(tokens);
    this.#verb = verbOf(tokens) ?? "";
    this.#lead = leadVerb(tokens);
    this.#isOnPage = this.#lead !== undefined && (SUBMITTING.has(this.#lead) || page.isKnown(this.#lead));
    this.#isSearch =
      this.#lead !== undefined &&
      VERBS.SEARCH.has(this.#lead) &&
      page.words.some(({ element }) => isField(element) && isSearch(element));
    this.#unnamedSpans = spansOf(tokens, () => false);
  }

  /**
   * Returns the field with the part of the task clause that is most likely its value; `undefined` if there is none.
   *
   * @param isRelated whether one of the field's words also occurs in the clause
   */
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
      // All other factors of the score are at most 1, so this product is an upper limit of the score. If it
      // is below the best score so far, the value is skipped.
      if (span.prior * fit * cell * purpose.purpose + ROUNDING < (best?.score ?? MIN_SCORE)) continue;
      const reading = this.#scored(span, { owned, named, cell, ...purpose });
      if (reading.score >= MIN_SCORE && reading.score > (best?.score ?? 0)) best = reading;
    }
    return best;
  }

  /**
   * Rates how well the verbs of the task's clause fit the purpose of the field, such as search or messages.
   */
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
      purpose: isSearch(element) === (isSearching || this.#isSearch) ? 1 : OTHER_PURPOSE,
    };
  }

  #scored(span: Span, { owned, named, cell, isSearching, isMessaging, free, purpose }: ScoredField): Reading {
    const { element } = owned;
    this.#page.onScored();
    const { weightOf, isKnown, similar } = this.#page;
    const value = this.#valueOf(span);
    const { recall, weight, name, precision } = describe(
      value.rest,
      // In "Invite ada@example.com", the verb names the button beside the field. So the names of the field
      // need not contain the verb.
      [...free, value.kindWords, ...(!span.isText && this.#isOnPage ? [new Set([this.#lead ?? ""])] : [])],
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
    // A page may declare the wrong type for a field. So the declared type matters less if a task clause contains the
    // complete name of the field.
    const fit = isNamed && precision >= FULL_NAME ? Math.max(kindFit, NAMED_FIT) : kindFit;
    const isReference =
      (span.isText && ((!isNamed && value.isShown) || value.isControl)) ||
      (!isNamed && value.isShown && IDENTIFIER.test(value.text));
    const entered = span.isText ? Math.max(isTyped ? TYPED_TEXT : 0, this.#enteredBy(span)) : 1;
    const score = base() * span.prior * purpose * fit * (isReference ? REFERENCE : 1) * cell * entered;
    return { element, kind: isSearching ? "search" : "set", value: value.text, off: false, score, name };
  }

  /**
   * Returns a factor (0 to 1) for the score of these words as a value. It is below 1 if the clause's verb
   * enters no text, or if it changes something ("change the name") and no word such as "to" precedes the
   * value.
   */
  #enteredBy({ from, to }: Span): number {
    const before = this.#tokens[from - 1];
    const isMarked = before?.kind === "separator" || (before !== undefined && MARKER.test(before.plain));
    if (this.#lead === undefined || before?.kind === "separator") return 1;
    if (!enters(this.#lead)) return NOT_ENTERED;
    const text = textOf(this.#tokens.slice(from, to));
    return changes(this.#lead) && !isMarked && text === text.toLowerCase() ? NOT_MARKED : 1;
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
