/**
 * Recognises random tokens in the segments of addresses, such as the key of a private feed. They may be secret and say
 * nothing to a reader, so they are no part of names.
 */

/** Minimum length of a token in characters. Shorter random texts are codes of items, such as `FWYC3D`. */
const TOKEN_LENGTH = 16;
/** Minimum number of hexadecimal digits of a token. */
const HEX_LENGTH = 32;
/** Minimum number of changes between letters and digits in a token. */
const TOKEN_CHANGES = 3;

/** Whether a decoded segment contains a token: `WyJmbGF0Il0.kLSkndAc9BpzP0FlVNNd6T0urQ0.xml`. */
export function containsToken(segment: string): boolean {
  return segment.split(/[.=:~]/).some(isToken);
}

function isToken(text: string): boolean {
  if (text.length >= HEX_LENGTH && /^[\da-f]+$/i.test(text)) return true;
  if (text.length < TOKEN_LENGTH || !/^[\w-]+$/.test(text) || /-[a-z]{3,}/.test(text)) return false;
  const changes = text.match(/[a-z]\d|\d[a-z]/gi)?.length ?? 0;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && changes >= TOKEN_CHANGES;
}

/** Replaces the segments of a path that contain a token by "…". */
export function withoutTokens(path: string): string {
  return path
    .split("/")
    .map((segment) => (containsToken(segment) ? "…" : segment))
    .join("/");
}
