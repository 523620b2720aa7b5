/** Splits a task into tokens: words, values such as quoted texts, e-mail addresses and dates, and separators. */
import { plainText } from "../words/normalised-words.ts";
import { unquoted } from "./split-task-at-imperatives.ts";

export interface Token {
  readonly text: string;
  /**
   * The kind of a token. A `separator` is a punctuation mark or a word such as "and": it ends a clause, or
   * separates the members of a list.
   */
  readonly kind: "word" | "value" | "separator";
  readonly isQuoted: boolean;
  /** The token's word in lower case without accents. */
  readonly plain: string;
}

const MONTH =
  "(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|gen|mag|giu|lug|ago|set|ott|dic)\\p{L}*\\.?";
/**
 * Matches a quoted text. The text contains no quotation mark of the kind that encloses it, so a missing
 * closing mark is found in linear time.
 */
const QUOTE = `"[^"]+"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|(?<![\\p{L}\\p{N}])['‘][^'‘’]+['’](?![\\p{L}\\p{N}])|\`[^\`]+\``;
const VALUE = [
  "[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+",
  "https?://[^\\s,;]+[^\\s,;.!?]",
  "www\\.[^\\s,;]+[^\\s,;.!?]",
  "\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2})?",
  "\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}",
  `\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+${MONTH}(?:\\s+\\d{4})?(?![\\p{L}])`,
  `${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?(?![\\p{L}\\p{N}])`,
  // Matches an IBAN (ISO 13616), with or without spaces between its groups of characters.
  "(?=[\\p{L}]{2}\\d{2}\\s?[\\p{L}\\d]*\\d)\\p{Lu}{2}\\d{2}(?:\\s?[\\p{Lu}\\d]{4}){2,7}(?:\\s?[\\p{Lu}\\d]{1,3})?(?![\\p{L}\\p{N}])",
  // Matches a code such as that of a voucher: SUMMER10.
  "(?=[\\p{Lu}-]*\\d)(?=\\d*-?\\p{Lu})[\\p{Lu}\\d]+(?:-[\\p{Lu}\\d]+)*(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])",
  "\\d{1,2}:\\d{2}(?:\\s?[ap]m)?",
  "\\+?\\d[\\d()/-]{0,20}(?:[ -][\\d()]{2,15}){1,8}(?![\\p{L}\\p{N}])",
  "[$€£]?\\d+(?:[.,]\\d+)*(?:\\s?(?:%|€|\\$|£))?(?![\\p{L}\\p{N}])",
].join("|");
const WORD = "[\\p{L}\\p{N}#@][\\p{L}\\p{N}'’._+#&/-]*";
const TOKEN = new RegExp(`(${QUOTE})|(${VALUE})|(${WORD})|([,;:.!?\\n=()])`, "giu");
/** Words that separate task clauses or the members of a list. */
const CONJUNCTIONS = /^(?:and|then|und|dann|et|puis|y|luego|e|poi|quindi|but|aber|mais|pero|però|&)$/iu;

export function tokensOf(task: string): readonly Token[] {
  return [...task.matchAll(TOKEN)].flatMap(([text, quote, value, word, mark]): readonly Token[] => {
    if (quote !== undefined) return [token(unquoted(quote), "value", true)];
    if (value !== undefined) return [token(value, "value")];
    if (mark !== undefined) return [token(mark, "separator")];
    const trimmed = (word ?? text).replace(/[.'’/-]+$/u, "");
    if (trimmed === "") return [];
    const ends = (word ?? "").endsWith(".") ? [token(".", "separator")] : [];
    return [token(trimmed, CONJUNCTIONS.test(trimmed) ? "separator" : "word"), ...ends];
  });
}

function token(text: string, kind: Token["kind"], isQuoted = false): Token {
  return { text, kind, isQuoted, plain: plainText(text) };
}

/** Returns the text of the tokens (words and values). Quoted texts keep their quotation marks. */
export const sourceOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text))
    .join(" ")
    .replace(/\s+(?=[,;:.!?])/gu, "");

export const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ text }) => text)
    .join(" ")
    .replace(/\s+(?=[,;:.!?])/gu, "");
