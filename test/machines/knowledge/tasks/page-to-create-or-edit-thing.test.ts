/**
 * Tests which page of a map is the right one for a task that creates or edits something, by the name and address of
 * the page.
 */
import { expect, test } from "bun:test";
import { operationTarget } from "../../../../machines/knowledge/tasks/page-to-create-or-edit-thing.ts";

const isPage = (target: string, name: string, path: string, screen_id = "s") =>
  operationTarget(target)?.isPage({ screen_id, name, url: `http://site.example${path}` });

test.each([
  ["add a bookkeeping account", "Add Account … :: byro", "/accounts/add"],
  ["Where do I create an account?", "Bank", "/accounts/new"],
  ["rename a category", "Edit Category: Cooking", "/category/5/edit"],
])("the target '%s' means the page '%s' (%s)", (target, name, path) => {
  expect(isPage(target, name, path)).toBe(true);
});

test.each([
  ["add a bookkeeping account", "Add Member", "/members/add"],
  ["add a bookkeeping account", "Accounts", "/accounts"],
  ["rename a category", "New Category", "/category/create"],
  ["rename a category", "Cooking", "/category/5"],
])("the target '%s' does not mean the page '%s' (%s)", (target, name, path) => {
  expect(isPage(target, name, path)).toBe(false);
});

test("a state of a page (a dialog) is recognised by the press that shows it, and not by the address of its page", () => {
  expect(isPage("create an API key", "Keys: Add API key", "/keys", "keys~add_api_key")).toBe(true);
  expect(isPage("create a key", "New key: Details", "/keys/new", "keys_new~details")).toBe(false);
});

test("a target that names no operation means no page that creates or edits something", () => {
  expect(operationTarget("mails waiting to be sent")).toBeUndefined();
});
