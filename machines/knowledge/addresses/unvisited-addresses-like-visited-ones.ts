/** Recognises the address of a page that no exploration has visited by the addresses of similar pages. */

/**
 * Whether an address looks like one of the given addresses:
 * - It has the same path, and no query parameter that the other address lacks.
 * - It has each parameter that all given addresses with this path have. If such a parameter has the same
 *   value in all of them, it has this value here too.
 *
 * So `/term.php?kind=tag&id=7` is like `/term.php?kind=tag&id=1&back=list` and `/term.php?kind=tag&id=2`.
 */
export function isAddressLike(address: string, others: Iterable<string>): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const similar = [...others].flatMap((other) => {
    const parsed = URL.parse(other);
    return parsed && parsed.origin === url.origin && parsed.pathname === url.pathname ? [parsed] : [];
  });
  const own = [...url.searchParams.keys()];
  if (!similar.some(({ searchParams }) => own.every((name) => searchParams.has(name)))) return false;
  const shared = [...new Set(similar.flatMap(({ searchParams }) => [...searchParams.keys()]))].filter(
    (name) => similar.every(({ searchParams }) => searchParams.has(name)),
  );
  return shared.every((name) => {
    const values = new Set(similar.map(({ searchParams }) => searchParams.get(name)));
    const value = url.searchParams.get(name);
    return value !== null && (values.size > 1 || values.has(value));
  });
}
