/**
 * Recognises random identifiers of elements (`id`, `name`). Such an identifier says nothing, and is another one
 * each time that the page draws the element.
 */

/**
 * Minimum number of characters of a part of an identifier that is examined for being random. A shorter part may
 * be an abbreviation with a number, such as `h264`.
 */
const RANDOM_LENGTH = 8;
/**
 * Minimum number of places in such a part where letters, capital letters and digits follow each other. Words with
 * numbers have fewer, as `address1Line2`. The start of a word, a capital letter before two small letters, does not
 * count: `shippingAddress2CountryCode` consists of words.
 */
const RANDOM_CHANGES = 4;
/**
 * Maximum number of characters of such a part for each of these places. A longer part needs more of them, because
 * a long compound of words and numbers has some, too.
 */
const CHARACTERS_PER_CHANGE = 5;
/** Matches a character at such a place. */
const CHANGES =
  /\p{L}(?=\p{N})|\p{N}(?=(?!\p{Lu}\p{Ll}{2})\p{L})|\p{Lu}(?=\p{Lu}\p{Ll}(?!\p{Ll}))|\p{Ll}(?=(?!\p{Lu}\p{Ll}{2})\p{Lu})/gu;

/** Whether an identifier has a long part in which small letters, capital letters and digits alternate. */
export function isRandom(identifier: string): boolean {
  return identifier.split(/[^\p{L}\p{N}]+/u).some((part) => {
    if (part.length < RANDOM_LENGTH || !/\d/.test(part) || !/\p{L}/u.test(part)) return false;
    const changes = part.match(CHANGES) ?? [];
    return changes.length >= Math.max(RANDOM_CHANGES, part.length / CHARACTERS_PER_CHANGE);
  });
}
