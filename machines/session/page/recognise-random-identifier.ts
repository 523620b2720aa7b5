/**
 * Recognises random identifiers of elements (`id`, `name`), such as `x7Kq2mP9`. A random identifier does not
 * describe its element. It changes each time that the page creates the element.
 */

/**
 * A part of an identifier can be random only if it has at least this number of characters. A shorter part may be an
 * abbreviation with a number, such as `h264`.
 */
const RANDOM_LENGTH = 8;
/**
 * Minimum number of changes between small letters, capital letters and digits in a random part of an
 * identifier. Words with numbers have fewer, as `address1Line2`. A capital letter at the start of a word does
 * not count, so `shippingAddress2CountryCode` is not random.
 */
const RANDOM_CHANGES = 4;
/**
 * Maximum average number of characters between two changes of the kind of character (such as letter to digit)
 * in a random identifier. Compounds of words and numbers usually change less often.
 */
const CHARACTERS_PER_CHANGE = 5;
/** Matches each character at which the kind of character changes, for example a letter before a digit. */
const CHANGES =
  /\p{L}(?=\p{N})|\p{N}(?=(?!\p{Lu}\p{Ll}{2})\p{L})|\p{Lu}(?=\p{Lu}\p{Ll}(?!\p{Ll}))|\p{Ll}(?=(?!\p{Lu}\p{Ll}{2})\p{Lu})/gu;

/**
 * Matches a part of an identifier that React's `useId` has counted, in base 32: `:r6o:` (React 18), `«r4s»`
 * (19.0) or `_r_6_` (19.2). Libraries add their names and a separator to it, such as `react-aria-` or `radix-`.
 * After a letter or digit it is a part of a name, as in `form:role:input` (JSF) and `sum_r_and_d_total`.
 */
const COUNTED_BY_REACT = /(?<![\p{L}\p{N}])(?::r[\da-v]+:|«r[\da-v]+»|_r_[\da-v]+_)/u;

/**
 * Whether an identifier is generated: it has a number of React's `useId`, or a long part in which small
 * letters, capital letters and digits alternate.
 */
export function isRandom(identifier: string): boolean {
  if (COUNTED_BY_REACT.test(identifier)) return true;
  return identifier.split(/[^\p{L}\p{N}]+/u).some((part) => {
    if (part.length < RANDOM_LENGTH || !/\d/.test(part) || !/\p{L}/u.test(part)) return false;
    const changes = part.match(CHANGES) ?? [];
    return changes.length >= Math.max(RANDOM_CHANGES, part.length / CHARACTERS_PER_CHANGE);
  });
}
