/**
 * The roles of accounts (such as `admin` and `clerk`) for which links and controls of a map exist. Several
 * explorations, each signed in with another account, can add to one map; each of them finds the links and
 * controls that its account sees.
 */

/** The entry in `roles` for explorations without an account role, such as explorations without a sign-in. */
export const UNNAMED_ROLE = "";

/** A row of a map that may exist only for users with certain roles. */
export interface RoleBound {
  /** The roles for which the row was found; absent if it exists for everybody. */
  readonly roles?: readonly string[];
}

/** The role under which an exploration reads a page, and the roles that the map already knows. */
export interface RoleReading {
  /** The role of the account that read the page; `undefined` if the exploration names no role. */
  readonly role: string | undefined;
  /** The roles of the accounts with which the map was explored so far. */
  readonly known: readonly string[];
}

/**
 * Whether a link or a control exists for accounts with this role. Without a role it always counts as
 * existing, because the caller has not said who uses the application.
 */
export function existsFor(row: RoleBound, role: string | undefined): boolean {
  return role === undefined || row.roles === undefined || row.roles.includes(role);
}

/**
 * Combines the stored rows of a page with the rows of a new reading. A stored row that only other account
 * roles have seen is kept, because this reading does not show whether they still see it.
 *
 * @param former the stored rows by id
 * @param read the rows of the new reading by id
 */
export function rowsAfterReading<Row extends RoleBound>(
  reading: RoleReading,
  former: ReadonlyMap<string, Row>,
  read: ReadonlyMap<string, Row>,
): readonly Row[] {
  const found = [...read].map(([id, row]) => foundBy(reading.role, row, former.get(id)));
  const unseen = [...former].filter(([id]) => !read.has(id)).flatMap(([, row]) => rowsLeft(reading, row));
  return [...found, ...unseen];
}

/**
 * Returns a stored row (a record of the map) that was found again, with the account roles for which it
 * exists. A row that was found without a role counts as existing for all roles, until an exploration with a
 * role does not find it.
 */
function foundBy<Row extends RoleBound>(
  role: string | undefined,
  row: Row,
  former: RoleBound | undefined,
): Row {
  if (former ? former.roles === undefined : role === undefined) return row;
  return { ...row, roles: [...new Set([...(former?.roles ?? []), role ?? UNNAMED_ROLE])].sort() };
}

/**
 * If a stored link or control was not found when its page was read with a role, removes this role from its
 * row. Returns the row with its other roles, or an empty list if no role is left.
 */
export function rowsLeft<Row extends RoleBound>({ role, known }: RoleReading, row: Row): readonly Row[] {
  if (row.roles === undefined && role === undefined) return [];
  const before = row.roles ?? [UNNAMED_ROLE, ...known];
  const roles = [...new Set(before)].filter((one) => one !== (role ?? UNNAMED_ROLE)).sort();
  return roles.length === 0 ? [] : [{ ...row, roles }];
}
