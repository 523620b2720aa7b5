/**
 * Recognises paths of the machine in texts, so that they can be removed.
 * Paths are recognised by the folders of common systems, so addresses of pages and APIs are not affected.
 */
const ROOTS =
  "bin|dev|etc|home|lib|lib64|media|mnt|nix|opt|private|proc|root|run|snap|srv|sys|tmp|usr|var|Users";
/** Absolute paths in a text. A URL does not match, because other characters come before its slash. */
const PATH = new RegExp(
  String.raw`(?<![\w.:/@%\]-])/(?:${ROOTS})(?:/[^\s"'<>|:;,()]+)+|\b[A-Z]:\\[^\s"'<>|;,()]+`,
  "g",
);

/** Replaces a path. */
export const PLACE = "<path>";

export function withoutPaths(text: string): string {
  return text.replace(PATH, PLACE);
}
