/**
 * Computes SimHash signatures: texts that differ little have signatures that differ in few bits (Charikar
 * 2002; Manku, Jain and Das Sarma 2007). If two texts share 19 of 20 sequences of three words, about 6 of the
 * 64 bits differ; for unrelated texts it is 32. Case, white space, punctuation and link targets are ignored.
 */

/** Two texts count as nearly equal if their signatures differ in at most this number of bits. */
const NEAR = 6;
/**
 * Number of bits of each counter. A counter counts shingles (sequences of three words). No page has so many
 * shingles that a counter overflows.
 */
const PLANES = 20;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The last step of MurmurHash3, after which every input bit has affected every output bit. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Whether a character belongs to a script that has no spaces between words. Each such character counts as a
 * word.
 */
function isOwnWord(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xe00 && code <= 0xeff)
  );
}

/**
 * Counts for each of 32 bit positions how many of the added values have this bit set. The counters are stored
 * as bit planes: plane n contains bit n of all 32 counters. Four values are added at once by full adders
 * (carry-save; Warren, "Hacker's Delight", 5-1).
 */
class BitCounts {
  readonly #planes = new Int32Array(PLANES);
  #waiting = 0;
  #first = 0;
  #second = 0;
  #third = 0;

  add(value: number): void {
    switch (this.#waiting++) {
      case 0:
        this.#first = value;
        return;
      case 1:
        this.#second = value;
        return;
      case 2:
        this.#third = value;
        return;
    }
    this.#waiting = 0;
    const planes = this.#planes;
    const first = this.#first;
    const second = this.#second;
    const third = this.#third;
    // The counters are stored by bit: plane 0 contains bit 0 of all counters, plane 1 contains bit 1. Two
    // full adders, one after the other, each add two values to plane 0. The carry of each adder is added to
    // plane 1.
    const ones = planes[0] ?? 0;
    const half = ones ^ first;
    const sum = half ^ second;
    const carry = (ones & first) | (half & second);
    const otherHalf = sum ^ third;
    planes[0] = otherHalf ^ value;
    const otherCarry = (sum & third) | (otherHalf & value);
    const twos = planes[1] ?? 0;
    const twosHalf = twos ^ carry;
    planes[1] = twosHalf ^ otherCarry;
    this.#carry((twos & carry) | (twosHalf & otherCarry), 2);
  }

  #carry(value: number, from: number): void {
    const planes = this.#planes;
    let carry = value;
    for (let plane = from; carry !== 0 && plane < PLANES; plane++) {
      const before = planes[plane] ?? 0;
      planes[plane] = before ^ carry;
      carry &= before;
    }
  }

  /** `add` counts values in groups of four. This method counts the values that are left, at most three. */
  #settle(): void {
    const waiting = [this.#first, this.#second, this.#third].slice(0, this.#waiting);
    this.#waiting = 0;
    for (const value of waiting) this.#carry(value, 0);
  }

  /**
   * Returns a number in which a bit is set if it is set in more than half of the added values. `total` is the
   * number of added values.
   */
  majority(total: number): number {
    this.#settle();
    const planes = this.#planes;
    const half = total >>> 1;
    // The loop compares the counters of all 32 bit positions with `half` at once, one binary digit after
    // another, from the highest. `greater` collects the positions whose counter is greater.
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

/** Builds shingles of three words from a sequence of word hashes. */
class Shingles {
  readonly #high = new BitCounts();
  readonly #low = new BitCounts();
  #total = 0;
  /**
   * The hashes of the last two words. With the hash of the next word, they form a shingle (a sequence of
   * three words).
   */
  #one = 0;
  #two = 0;
  #words = 0;

  add(word: number): void {
    this.#words++;
    if (this.#words > 2) this.#count(this.#one, word);
    this.#one = this.#two;
    this.#two = word;
  }

  #count(one: number, three: number): void {
    if (this.#total >= 2 ** PLANES - 1) return;
    const joined =
      Math.imul(one, 0x9e3779b1) ^ Math.imul(this.#two, 0x85ebca77) ^ Math.imul(three, 0xc2b2ae3d);
    this.#high.add(mixed(joined));
    this.#low.add(mixed(joined ^ 0x27d4eb2f));
    this.#total++;
  }

  get signature(): string | undefined {
    if (this.#words === 0) return undefined;
    // A text of one or two words has a single shingle, although shingles normally have three words.
    if (this.#total === 0) this.#count(this.#one, 0);
    return hex(this.#high.majority(this.#total)) + hex(this.#low.majority(this.#total));
  }
}

/**
 * Maps the code of each character up to ¿ to a lower-case letter or digit, or to 0 for any other character.
 */
const LETTERS = Uint8Array.from({ length: 0xc0 }, (_, code) => {
  const text = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(text) ? text.charCodeAt(0) : 0;
});

/** Returns the signature of a text in 16 hex digits; `undefined` for a text without words. */
export function simHash(text: string): string | undefined {
  const shingles = new Shingles();
  const { length } = text;
  let word = FNV_OFFSET;
  let inWord = false;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const letter = code < 0xc0 ? (LETTERS[code] ?? 0) : code;
    const isPunctuation = code >= 0x2000 && code <= 0x206f;
    if (letter !== 0 && !isPunctuation) {
      if (code > 0xbf && isOwnWord(code)) {
        if (inWord) shingles.add(word);
        shingles.add(Math.imul(FNV_OFFSET ^ code, FNV_PRIME));
        word = FNV_OFFSET;
        inWord = false;
        continue;
      }
      word = Math.imul(word ^ letter, FNV_PRIME);
      inWord = true;
      continue;
    }
    if (inWord) {
      shingles.add(word);
      word = FNV_OFFSET;
      inWord = false;
    }
    // "](" is in the middle of a Markdown link. The address after it is skipped: it contains no spaces and
    // ends at the closing bracket.
    if (code === 93 && text.charCodeAt(at + 1) === 40) {
      const end = text.indexOf(")", at);
      if (end > 0) at = end;
    }
  }
  if (inWord) shingles.add(word);
  return shingles.signature;
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0");
}

function bitsSet(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the number of bits that differ in two signatures of 64 bits. */
export function simHashDistance(one: string, other: string): number {
  let distance = 0;
  for (const from of [0, 8]) {
    const bits =
      Number.parseInt(one.slice(from, from + 8), 16) ^ Number.parseInt(other.slice(from, from + 8), 16);
    distance += bitsSet(bits);
  }
  return distance;
}

/** Whether two signatures belong to nearly equal texts. */
export function isNearDuplicate(one: string, other: string): boolean {
  return simHashDistance(one, other) <= NEAR;
}
