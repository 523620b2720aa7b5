/**
 * Prepares a text of the document for snapshots. The result is cached until the text changes, so a later
 * snapshot does not read the characters again. That reading is slow, because Chromium stores them outside of
 * the JavaScript heap.
 */

/** A text of the document, split into its words and the white space at its ends. */
export interface PreparedText {
  /** The text without white space at its ends. It is empty if the text is only white space. */
  readonly words: string;
  readonly before: string;
  readonly after: string;
  /** Whether the text contains a letter or a digit. */
  readonly hasWords: boolean;
  /**
   * Whether the text may be an icon. `always`: only icon fonts draw such characters. `byFont`: the text looks
   * like the name of an icon, which an icon font replaces by the icon.
   */
  readonly icon: "always" | "byFont" | undefined;
}

/**
 * Character code of the no-break space. Common white space characters have this code or a lower one. A text
 * whose first and last characters have higher codes is not trimmed.
 */
const LAST_SPACE_CODE = 160;
/** Matches a text with at least one letter or digit. */
const HAS_WORDS = /[\p{L}\p{N}]/u;
/** Matches a name in the form that icon fonts use for ligatures, such as `arrow_back`. */
const LIGATURE = /^[a-z][a-z0-9_]{1,39}$/;
/** Matches a text that consists of Unicode private use characters. Only icon fonts draw such characters. */
const PRIVATE_USE = /^[\s\ue000-\uf8ff\u{f0000}-\u{10fffd}]+$/u;

const whiteSpace = (text: string): PreparedText => ({
  words: "",
  before: text,
  after: "",
  hasWords: false,
  icon: undefined,
});
/**
 * The most frequent text of a page: the space between two elements. All texts of this kind share one object.
 */
const SPACE = whiteSpace(" ");

const iconOf = (words: string): PreparedText["icon"] => {
  if (PRIVATE_USE.test(words)) return "always";
  return LIGATURE.test(words) ? "byFont" : undefined;
};

export function prepareText(text: string): PreparedText {
  if (text === " ") return SPACE;
  const bare = text.charCodeAt(0) > LAST_SPACE_CODE && text.charCodeAt(text.length - 1) > LAST_SPACE_CODE;
  const words = bare ? text : text.trim();
  if (words === "") return whiteSpace(text);
  const from = words.length === text.length ? 0 : text.indexOf(words);
  return {
    words,
    before: text.slice(0, from),
    after: text.slice(from + words.length),
    hasWords: HAS_WORDS.test(words),
    icon: iconOf(words),
  };
}
