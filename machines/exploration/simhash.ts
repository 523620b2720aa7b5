/**
 * A signature of a text that stays nearly the same when the text does: SimHash over shingles of three words.
 *
 * Charikar, "Similarity estimation techniques from rounding algorithms" (STOC 2002), and Manku, Jain and Das Sarma,
 * "Detecting near-duplicates for web crawling" (WWW 2007), who took 64 bits and a distance of 3 for eight billion
 * pages; a map has fewer, so 6 may pass: the distance is about 64·arccos(share of shingles in common)/π, which is 6
 * for texts that share 19 of 20, 21 for those that share half, and 32 for strangers. What does not
 * change what a text says changes nothing here: case, white space, punctuation, and where its Markdown links lead
 * (a session id in them makes no other page). Two texts are compared by their signatures alone; equal ones have
 * equal content hashes too, see `PageRecord`.
 */

/** Signatures that differ in more bits than this are of different texts. */
const NEAR = 6;
/** Counters of 2^n shingles; more are not counted (a page's content has fewer words than that). */
const PLANES = 20;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The finalizer of MurmurHash3: every bit of the input reaches every bit of the output. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Scripts that are written without spaces: each of their characters counts as a word. */
function isOwnWord(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xe00 && code <= 0xeff)
  );
}

/**
 * For each of 32 bits, how many of the values added have it set. The counters stand upright: plane n holds bit n of
 * all 32 of them, so adding a value is an addition with carry of whole words, and a carry rarely goes far.
 */
class BitCounts {
  readonly #planes = new Int32Array(PLANES);

  add(value: number): void {
    const planes = this.#planes;
    let carry = value;
    for (let plane = 0; carry !== 0 && plane < PLANES; plane++) {
      const before = planes[plane] ?? 0;
      planes[plane] = before ^ carry;
      carry &= before;
    }
  }

  /** The bits that more than half of `total` values have. */
  majority(total: number): number {
    const planes = this.#planes;
    const half = total >>> 1;
    // Compares all 32 counters with `half` at once, from the highest bit down.
    let greater = 0;
    let equal = -1;
    for (let plane = PLANES - 1; plane >= 0; plane--) {
      const bits = planes[plane] ?? 0;
      if ((half >>> plane) & 1) equal &= bits;
      else {
        greater |= equal & bits;
        equal &= ~bits;
      }
    }
    return greater >>> 0;
  }
}

/** The signature of a text in 16 hex digits; `undefined` for one without words. */
export function simHash(text: string): string | undefined {
  const high = new BitCounts();
  const low = new BitCounts();
  let total = 0;
  // The hashes of the last two words.
  let one = 0;
  let two = 0;
  let words = 0;
  let word = FNV_OFFSET;
  let inWord = false;
  const { length } = text;

  const endWord = (): void => {
    words++;
    // A text of one or two words is one shingle.
    if (words > 2) shingle(one, two, word);
    one = two;
    two = word;
    word = FNV_OFFSET;
    inWord = false;
  };
  const shingle = (first: number, second: number, third: number): void => {
    if (total >= 2 ** PLANES - 1) return;
    const joined =
      Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77) ^ Math.imul(third, 0xc2b2ae3d);
    high.add(mixed(joined));
    low.add(mixed(joined ^ 0x27d4eb2f));
    total++;
  };

  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at);
    if (code >= 65 && code <= 90) code |= 32;
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 0xbf) {
      if (code > 0xbf) {
        if (code >= 0x2000 && code <= 0x206f) {
          if (inWord) endWord();
          continue;
        }
        if (isOwnWord(code)) {
          if (inWord) endWord();
          word = Math.imul(word ^ code, FNV_PRIME);
          endWord();
          continue;
        }
      }
      word = Math.imul(word ^ code, FNV_PRIME);
      inWord = true;
      continue;
    }
    if (inWord) endWord();
    // "](": the target of a link, which has no spaces, up to its bracket.
    if (code === 93 && text.charCodeAt(at + 1) === 40) {
      const end = text.indexOf(")", at);
      if (end > 0) at = end;
    }
  }
  if (inWord) endWord();
  if (words === 0) return undefined;
  if (total === 0) shingle(0, one, two);
  return hex(high.majority(total)) + hex(low.majority(total));
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

function bitsSet(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** In how many of their 64 bits two signatures differ. */
export function simHashDistance(one: string, other: string): number {
  let distance = 0;
  for (const from of [0, 8]) {
    const bits =
      Number.parseInt(one.slice(from, from + 8), 16) ^ Number.parseInt(other.slice(from, from + 8), 16);
    distance += bitsSet(bits);
  }
  return distance;
}

/** Whether two signatures are of texts that say nearly the same. */
export function isNearDuplicate(one: string, other: string): boolean {
  return simHashDistance(one, other) <= NEAR;
}
