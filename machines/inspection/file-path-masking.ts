/**
 * Removes paths of files on this machine from texts. A path is recognised by the top-level folders of common
 * operating systems, so addresses of pages and APIs are not affected.
 */

/** Names of top-level folders of common operating systems. */
const ROOTS =
  "bin|dev|etc|home|lib|lib64|media|mnt|nix|opt|private|proc|root|run|snap|srv|sys|tmp|usr|var|Users";
/**
 * Matches absolute file paths in a text. The path in a URL does not match, because a host name is before it.
 */
const PATH = new RegExp(
  String.raw`(?<![\w.:/@%\]-])/(?:${ROOTS})(?:/[^\s"'<>|:;,()]+)+|\b[A-Z]:\\[^\s"'<>|;,()]+`,
  "g",
);

/** The text that replaces a file path in an output. */
export const PLACE = "<path>";

export function withoutPaths(text: string): string {
  return text.replace(PATH, PLACE);
}
