/**
 * Paths of the machine that Cairn runs on, kept out of what others are told. Pure.
 *
 * They are known by where systems keep files, so that an address of a page or of an API is none. Neighbour: the gateway
 * adds the folders that it was given itself (`gateway/security/places.ts`).
 */
const ROOTS =
  "bin|dev|etc|home|lib|lib64|media|mnt|nix|opt|private|proc|root|run|snap|srv|sys|tmp|usr|var|Users";
/** Of an address there stands something before the slash. */
const PATH = new RegExp(
  String.raw`(?<![\w.:/@%\]-])/(?:${ROOTS})(?:/[^\s"'<>|:;,()]+)+|\b[A-Z]:\\[^\s"'<>|;,()]+`,
  "g",
);

/** In place of a path. */
export const PLACE = "<path>";

export function withoutPaths(text: string): string {
  return text.replace(PATH, PLACE);
}
