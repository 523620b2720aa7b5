/**
 * The roles of accounts (such as `admin` and `clerk`) for which links and controls of a map exist.
 * Explorations that sign in with different accounts can add to one map, and each finds what its account sees.
 */

/** A row of a map that may exist for some roles only. */
export interface RoleBound {
  /** The roles for which the row was found; absent if it exists for everybody. */
  readonly roles?: readonly string[];
}

/**
 * Whether the row exists for accounts with this role. Without a role, every row counts, because the caller
 * has not said who uses the application.
 */
export function existsFor(row: RoleBound, role: string | undefined): boolean {
  return role === undefined || row.roles === undefined || row.roles.includes(role);
}

/**
 * Combines the rows of a page that was read again. A row that was found without a role exists for everybody. A
 * row that other roles found is kept, because this reading cannot tell whether they still see it.
 *
 * @param role the role of the account that read the page now; `undefined` if the exploration names none
 *
 * @param former the rows of earlier readings, by id
 *
 * @param read the rows of this reading, by id
 */
export function rowsAfterReading<Row extends RoleBound>(
  role: string | undefined,
  former: ReadonlyMap<string, Row>,
  read: ReadonlyMap<string, Row>,
): readonly Row[] {
  const found = [...read].map(([id, row]) => foundBy(role, row, former.get(id)));
  const unseen = [...former].filter(([id]) => !read.has(id)).flatMap(([, row]) => leftBy(role, row));
  return [...found, ...unseen];
}

function foundBy<Row extends RoleBound>(role: string | undefined, row: Row, former: Row | undefined): Row {
  if (role === undefined || (former && former.roles === undefined)) return row;
  return { ...row, roles: [...new Set([...(former?.roles ?? []), role])].sort() };
}

/**
 * Returns the part of a row that remains if this reading of the page did not find the row: the row for the
 * other roles, or nothing.
 */
function leftBy<Row extends RoleBound>(role: string | undefined, row: Row): readonly Row[] {
  if (row.roles === undefined) return role === undefined ? [] : [row];
  const roles = row.roles.filter((one) => one !== role);
  return roles.length === 0 ? [] : [{ ...row, roles }];
}
