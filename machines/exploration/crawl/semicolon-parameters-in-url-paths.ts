/**
 * Parameters that a path segment contains after semicolons (RFC 3986 §3.3), such as `page` in `/orders;page=2`. The
 * router of Angular and Jakarta REST call them matrix parameters. They are parameters of the page, as those of a query
 * are.
 */

/** Matches one parameter of a path segment. A semicolon without a name and a value is part of the segment's text. */
const PARAMETER = /;([A-Za-z_][\w.-]*)=([^;/?#]*)/g;

/** Splits a path such as `/orders;page=2` into `/orders` and its parameters as they are written (`page=2`). */
export function splitPathParameters(path: string): {
  readonly path: string;
  readonly parameters: readonly string[];
} {
  if (!path.includes(";")) return { path, parameters: [] };
  const parameters = Array.from(path.matchAll(PARAMETER), ([, name = "", value = ""]) => `${name}=${value}`);
  return { path: path.replace(PARAMETER, ""), parameters };
}
