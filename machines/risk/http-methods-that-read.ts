/** Decides by the method of an HTTP request whether the request only reads. */

/**
 * Methods that RFCs define as safe. `PROPFIND`, `REPORT` and `SEARCH` of WebDAV list folders (Nextcloud), `SEARCH` reads
 * rows by a long query (Directus), and `QUERY` is the newer method for such queries.
 */
const READING: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "OPTIONS",
  "PROPFIND",
  "REPORT",
  "SEARCH",
  "QUERY",
]);

export const isReadingMethod = (method: string): boolean => READING.has(method.toUpperCase());
