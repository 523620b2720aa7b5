/**
 * A cache of the names of tags and attributes. A document repeats the same few dozen names thousands of times.
 * A known name is found by its characters without creating a string, because creating the strings costs as
 * much as the rest of the parse.
 */

const SLOTS = 4_096;
const MAX_CACHED_LENGTH = 32;
const UPPER_A = 65;
const UPPER_Z = 90;
const TO_LOWER = 32;

/**
 * Returns a copy of a name, for the cache. A slice of the document would keep the whole document in memory.
 */
function copied(name: string): string {
  const codes: number[] = [];
  for (let at = 0; at < name.length; at++) codes.push(name.charCodeAt(at));
  return String.fromCharCode(...codes);
}

/**
 * The cached names. The cache keeps at most two names with the same hash. A third name replaces
 * the older of the two.
 */
const nameCache: (string | undefined)[] = new Array<undefined>(SLOTS).fill(undefined);

/** Returns the characters of `source` from `start` (inclusive) to `end` (exclusive) in lower case. */
export function nameAt(source: string, start: number, end: number): string {
  const length = end - start;
  if (length > MAX_CACHED_LENGTH) return source.slice(start, end).toLowerCase();
  let hash = length;
  for (let at = start; at < end; at++) {
    let code = source.charCodeAt(at);
    if (code >= UPPER_A && code <= UPPER_Z) code += TO_LOWER;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  const slot = (hash ^ (hash >>> 12)) & (SLOTS - 2);
  const newer = nameCache[slot];
  if (newer !== undefined && isAt(newer, source, start, length)) return newer;
  const older = nameCache[slot + 1];
  if (older !== undefined && isAt(older, source, start, length)) return older;
  const name = copied(source.slice(start, end).toLowerCase());
  nameCache[slot + 1] = newer;
  nameCache[slot] = name;
  return name;
}

function isAt(name: string, source: string, start: number, length: number): boolean {
  if (name.length !== length) return false;
  for (let at = 0; at < length; at++) {
    let code = source.charCodeAt(start + at);
    if (code >= UPPER_A && code <= UPPER_Z) code += TO_LOWER;
    if (name.charCodeAt(at) !== code) return false;
  }
  return true;
}
