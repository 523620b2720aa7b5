/** Tests which links and controls of a map exist for which roles of accounts. */
import { describe, expect, test } from "bun:test";
import {
  existsFor,
  type RoleBound,
  rowsAfterReading,
  UNNAMED_ROLE,
} from "../../../machines/knowledge/account-roles-that-see-controls.ts";

interface Row extends RoleBound {
  readonly id: string;
}

const byId = (rows: readonly Row[]): ReadonlyMap<string, Row> => new Map(rows.map((row) => [row.id, row]));

/**
 * Returns the rows of a page's links after the page was read again.
 *
 * @param role role of the account that has read the page
 * @param former the rows before the page was read again
 * @param ids ids of the links that are on the page now
 */
const read = (role: string | undefined, former: readonly Row[], ids: readonly string[]) =>
  rowsAfterReading({ role, known: ["admin", "clerk"] }, byId(former), byId(ids.map((id) => ({ id }))));

describe("the links of a page that is read again", () => {
  const admin = [{ id: "users", roles: ["admin"] }];
  const everybody = [{ id: "help" }];

  test("exist for the role of the account that read the page", () => {
    expect(read("admin", [], ["users"])).toEqual(admin);
  });

  test("exist for every role whose accounts have seen them", () => {
    const [users] = read("clerk", admin, ["users"]);
    expect(users).toEqual({ id: "users", roles: ["admin", "clerk"] });
  });

  test("remain for the roles of accounts that did not read the page again", () => {
    expect(read("clerk", admin, [])).toEqual(admin);
    expect(read(undefined, admin, [])).toEqual(admin);
  });

  test("are removed for a role that no longer sees them, and for all when no role is left", () => {
    expect(read("admin", [{ id: "users", roles: ["admin", "clerk"] }], [])).toEqual([
      { id: "users", roles: ["clerk"] },
    ]);
    expect(read("admin", admin, [])).toEqual([]);
  });

  test("exist for everybody if an exploration without a role has found them first", () => {
    expect(read(undefined, [], ["help"])).toEqual(everybody);
    expect(read("clerk", everybody, ["help"])).toEqual(everybody);
  });

  test("are removed only for the accounts, with or without a role, that no longer find them", () => {
    const forOthers = [{ id: "help", roles: [UNNAMED_ROLE, "admin"] }];
    expect(read("clerk", everybody, [])).toEqual(forOthers);
    expect(read("admin", forOthers, [])).toEqual([{ id: "help", roles: [UNNAMED_ROLE] }]);
    expect(read(undefined, forOthers, [])).toEqual([{ id: "help", roles: ["admin"] }]);
  });

  test("exist for accounts without a role and for the role admin, if an exploration of each has found them", () => {
    expect(read(undefined, admin, ["users"])).toEqual([{ id: "users", roles: [UNNAMED_ROLE, "admin"] }]);
  });

  test("are replaced by the new links if all readings of the page were without a role", () => {
    expect(read(undefined, everybody, ["about"])).toEqual([{ id: "about" }]);
  });
});

test("a caller that names no role sees the links of all roles, and other callers only those of their role", () => {
  expect(existsFor({ roles: ["admin"] }, undefined)).toBe(true);
  expect(existsFor({ roles: ["admin"] }, "clerk")).toBe(false);
  expect(existsFor({}, "clerk")).toBe(true);
});
