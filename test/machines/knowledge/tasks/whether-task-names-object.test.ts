/** Tests whether a task that edits or removes a thing names its object, or needs none. */
import { expect, test } from "bun:test";
import { taskWords } from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { type FormPage, formTasks, taskFit } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";
import {
  isPageOfItem,
  type KnownPages,
  unnamedObject,
} from "../../../../machines/knowledge/tasks/whether-task-names-object.ts";
import type { ActionRecord } from "../../../../machines/records/map-records.ts";

const SITE = "http://site.example";

const action = (
  action_type: string,
  name: string,
  attributes: Readonly<Record<string, string>>,
): ActionRecord => ({
  id: ["map", `page.${action_type}_${name}`],
  knowledge_id: "map",
  action_id: `page.${action_type}_${name}`,
  action_type,
  name,
  target: JSON.stringify({ role: "", name, selector: "", xpath: "(//form)[1]", attributes }),
});
const formOf = (submit: string, field: string, sentTo = "", method = "post") => {
  const [task] = formTasks([
    action("submit_form", "Form", { tag: "form", method, action: sentTo, fields: "a", submit }),
    action("input", field, { tag: "input", name: "a", type: "text" }),
  ]);
  if (!task) throw new Error("The form has no task.");
  return task;
};

/**
 * Returns what the map knows of a site.
 *
 * @param pages name of each page, by path
 * @param created things for which the site has a form to create one, such as `voucher`
 */
function mapOf(
  pages: Readonly<Record<string, string>>,
  created: readonly string[] = [],
  links: Readonly<Record<string, readonly string[]>> = {},
): KnownPages {
  const plain = (url: string): string => url.replace(SITE, "").replace(/\/$/, "");
  return {
    nameOf: (url) => pages[plain(url)],
    segmentsBelow: (url) =>
      new Set(
        Object.keys(pages).flatMap((path) =>
          path.startsWith(`${plain(url)}/`)
            ? [
                path
                  .slice(plain(url).length + 1)
                  .split("/")
                  .at(0) ?? "",
              ]
            : [],
        ),
      ),
    isCreated: (kind) => created.includes(kind),
    links: Object.entries(links).flatMap(([text, paths]) =>
      paths.map((path) => ({ text, url: `${SITE}${path}` })),
    ),
  };
}

interface Case {
  readonly target: string;
  readonly page: readonly [path: string, name: string];
  readonly map?: KnownPages;
  readonly shown?: string;
  readonly submit?: string;
  readonly field?: string;
  readonly sentTo?: string;
}
const listOf = ({ target, page, map, shown, submit = "Save", field = "Size", sentTo = "" }: Case) => {
  const at: FormPage = { url: `${SITE}${page[0]}`, name: page[1] };
  const found = unnamedObject(
    target,
    formOf(submit, field, sentTo),
    at,
    map ?? mapOf({ [page[0]]: page[1] }),
    shown === undefined ? undefined : `${SITE}${shown}`,
  );
  return found?.list.replace(SITE, "");
};

const VOUCHERS = mapOf(
  {
    "/event/jazz/vouchers": "Vouchers",
    "/event/jazz/vouchers/add": "New voucher",
    "/event/jazz/vouchers/1": "Voucher: SPRING2026",
  },
  ["voucher"],
);
const voucher = { page: ["/event/jazz/vouchers/1/", "Voucher: SPRING2026"], map: VOUCHERS } as const;

test("a task must name its object, even if the map has only one page of such an object", () => {
  for (const target of ["edit the voucher", "delete the voucher", "change my voucher", "edit the Voucher"])
    expect([target, listOf({ ...voucher, target })]).toEqual([target, "/event/jazz/vouchers"]);
  expect(listOf({ ...voucher, target: "edit the voucher", map: mapOf({}) })).toBe("/event/jazz/vouchers");
  expect(listOf({ ...voucher, target: "create a voucher" })).toBeUndefined();
});

test("a task names an object by its id, or by a word of its page", () => {
  for (const target of [
    'edit the voucher "SPRING2026"',
    "edit the voucher spring2026",
    "edit voucher 1",
    "change the size of voucher 1",
  ])
    expect([target, listOf({ ...voucher, target })]).toEqual([target, undefined]);
  const card = { page: ["/giftcards/7", "Gift card: ABC"] } as const;
  expect(listOf({ ...card, target: "edit the gift card" })).toBe("/giftcards");
  expect(listOf({ ...card, target: "edit the gift card abc" })).toBeUndefined();
  // "size" is the name of a field of the voucher, and "settings" is another part of the address. Neither is the
  // name of an object, so the task must still name one.
  expect(
    listOf({
      ...voucher,
      page: ["/event/jazz/vouchers/1", "Voucher size"],
      target: "change the voucher size",
    }),
  ).toBe("/event/jazz/vouchers");
  const settings = {
    page: ["/projects/12/settings", "Settings"],
    map: mapOf({ "/projects": "Projects" }),
  } as const;
  expect(listOf({ ...settings, target: "edit the project settings" })).toBe("/projects");
});

test("a task needs no object's name if the browser shows the object, but needs one if the browser shows another page", () => {
  const target = "edit the voucher";
  expect(listOf({ ...voucher, target, shown: "/event/jazz/vouchers/1/" })).toBeUndefined();
  expect(
    listOf({ ...voucher, target, page: ["/vouchers/1/edit", "Edit voucher"], shown: "/vouchers/1" }),
  ).toBeUndefined();
  for (const shown of ["/event/jazz/vouchers/2/", "/event/jazz/vouchers/", "/event/jazz/", "/"])
    expect([shown, listOf({ ...voucher, target, shown })]).toEqual([shown, "/event/jazz/vouchers"]);
});

test("/vouchers/2 counts as the page of another object of the list with /vouchers/1, and /vouchers/add does not", () => {
  const like = (path: string, example: string) =>
    isPageOfItem(`${SITE}${path}`, `${SITE}/vouchers`, `${SITE}${example}`);
  expect(like("/vouchers/2/", "/vouchers/1/")).toBe(true);
  expect(like("/vouchers/edit/2", "/vouchers/")).toBe(true);
  expect(like("/vouchers/blue", "/vouchers/red")).toBe(true);
  expect(like("/vouchers?id=2", "/vouchers?id=1")).toBe(true);
  for (const path of ["/vouchers/", "/vouchers/mine", "/vouchers/add", "/orders/2"])
    expect([path, like(path, "/vouchers/1/")]).toEqual([path, false]);
});

test("a page that a site has only once, such as the settings, does not count as the page of an object", () => {
  const map = mapOf({
    "/settings": "Settings",
    "/settings/email": "Email settings",
    "/account/settings": "Account settings",
    "/users/7/profile": "My profile",
    "/users": "Users",
  });
  for (const [target, path] of [
    ["edit the email settings", "/settings/email"],
    ["change the email setting", "/settings/email"],
    ["edit the settings", "/settings"],
    ["edit the settings", "/settings/1"],
    ["edit the account settings", "/account/settings"],
    ["edit the account settings", "/accounts/7/settings"],
    ["change my profile", "/users/7/profile"],
    ["change my profile", "/profiles/7"],
    ["delete my account", "/account/delete"],
    ["change the password", "/users/password/edit"],
  ] as const)
    expect([target, path, listOf({ target, page: [path, "Page"], map })]).toEqual([target, path, undefined]);
});

test("a task may name an object by another word than the address does (person, /users), or by an id in the query", () => {
  const person = { target: "edit the person", page: ["/users/3/edit", "Person: Bob"] } as const;
  expect(listOf(person)).toBeUndefined();
  expect(listOf({ ...person, map: mapOf({}, ["person"]) })).toBe("/users");
  expect(listOf({ ...person, map: mapOf({}, ["person"]), target: 'edit the person "Bob"' })).toBeUndefined();
  const tag = { page: ["/term.php?tag_ID=3", "Edit tag"], map: mapOf({}, ["tag"]) } as const;
  expect(listOf({ ...tag, target: "edit the tag" })).toBe("/term.php");
  expect(listOf({ ...tag, target: "edit tag 3" })).toBeUndefined();
  expect(listOf({ ...tag, target: "edit the tag", shown: "/term.php?tag_ID=3&from=list" })).toBeUndefined();
  const crate = { page: ["/crates/blue/edit", "Edit crate"] } as const;
  const crates = mapOf({ "/crates": "Crates", "/crates/new": "New crate" });
  expect(listOf({ ...crate, target: "edit the crate", map: crates })).toBe("/crates");
  expect(listOf({ ...crate, target: "edit the crate blue", map: crates })).toBeUndefined();
});

test("a task that edits an object does not use a form on the list of objects, unless the form is sent to that object", () => {
  const list = { page: ["/helpdesk/tickets/", "Tickets"], shown: "/helpdesk/tickets/" } as const;
  const map = mapOf({ "/helpdesk/tickets": "Tickets", "/helpdesk/tickets/4": "Ticket 4" });
  expect(listOf({ ...list, target: "edit the ticket", map })).toBe("/helpdesk/tickets");
  expect(listOf({ ...list, target: "edit ticket 4", map, sentTo: "/helpdesk/tickets/4/" })).toBeUndefined();
  expect(listOf({ ...list, target: "edit the ticket", map, sentTo: "/helpdesk/tickets/4/" })).toBe(
    "/helpdesk/tickets",
  );
  const dialog = { page: ["/flags", "Flags: Edit dark"], map: mapOf({ "/flags/new": "New flag" }) } as const;
  expect(listOf({ ...dialog, target: "edit the flag" })).toBe("/flags");
  expect(listOf({ ...dialog, target: 'edit the flag "dark"' })).toBeUndefined();
  // A form that a press has shown on a list. The map contains no page below the address of this list.
  const pressed = (target: string) =>
    unnamedObject(
      target,
      formOf("Save", "Query name", "", ""),
      { name: "Tickets: Queries", url: `${SITE}/helpdesk/tickets/` },
      mapOf({ "/helpdesk/tickets": "Tickets" }),
      undefined,
    )?.isOnList;
  expect([pressed("edit the ticket"), pressed("edit the tickets")]).toEqual([true, undefined]);
  // The list of languages has no items in the map, and the site has no form to create one. So the task only chooses
  // a language, and need not name an object.
  expect(listOf({ target: "change the language", page: ["/languages", "Languages"] })).toBeUndefined();
});

test("a form whose button and address name another thing does not edit or remove the thing of its page", () => {
  const fitOf = (target: string, submit: string, sentTo: string, path = "/helpdesk/tickets/") => {
    const page = { name: "Tickets", url: `${SITE}${path}` };
    return taskFit(formOf(submit, "Query name", sentTo), target, taskWords(target), page).fit > 0;
  };
  expect(fitOf("edit the ticket", "Save Query", "/helpdesk/save_query/")).toBe(false);
  expect(fitOf("edit the ticket", "Save", "/helpdesk/save_query/")).toBe(false);
  expect(fitOf("edit the tickets", "Save", "/helpdesk/save_query/")).toBe(true);
  expect(fitOf("edit the query", "Save Query", "/helpdesk/save_query/")).toBe(true);
  expect(fitOf("edit the ticket", "Save", "/helpdesk/save/")).toBe(true);
  expect(fitOf("edit the ticket", "Save changes", "/helpdesk/tickets/update")).toBe(true);
  expect(fitOf("edit the ticket", "Search tickets", "/helpdesk/tickets/")).toBe(false);
  expect(fitOf("edit the search", "Search", "/helpdesk/search/", "/search/4/")).toBe(false);
  expect(fitOf("edit the search settings", "Search settings", "", "/search/settings/")).toBe(true);
});

test("a number in a task is read as the id of an object, and not as the thing of the task", () => {
  expect(taskWords("edit order 17")).toMatchObject({ head: "order", names: ["17"] });
  const page = { name: "Order", url: `${SITE}/orders/17` };
  const fitOf = (target: string) => taskFit(formOf("Save", "Size"), target, taskWords(target), page).fit > 0;
  expect([fitOf("edit order 17"), fitOf("edit order 18")]).toEqual([true, false]);
});

test('a page to which only the link "My profile" leads counts as the page of the signed-in user, even if the map has a list of profiles', () => {
  const pages = { "/profiles": "Profiles", "/profiles/7": "Anna" };
  const listWith = (links: Readonly<Record<string, readonly string[]>>, target = "change my profile") =>
    listOf({ target, page: ["/profiles/7", "Anna"], map: mapOf(pages, [], links) });
  expect(listWith({ "My profile": ["/profiles/7"], Profiles: ["/profiles"] })).toBeUndefined();
  expect(listWith({ Profile: ["/profiles/7"] })).toBeUndefined();
  expect(listWith({ Profile: ["/profiles/7", "/profiles/8"] })).toBe("/profiles");
  expect(listWith({ "My profile": ["/profiles/8"] })).toBe("/profiles");
  expect(listWith({ Profiles: ["/profiles/7"] })).toBe("/profiles");
  expect(listWith({ "My profile": ["/profiles/7"] }, "change the profile")).toBe("/profiles");
});

test("a form that a press shows on a list does not edit the things of the list if its button names another thing (Save Query)", () => {
  const fitOf = (submit: string, name = "Tickets: Queries") => {
    const page = { name, url: `${SITE}/helpdesk/tickets/` };
    const form = formOf(submit, "Query name", "", "");
    return taskFit(form, "edit the ticket", taskWords("edit the ticket"), page).fit > 0;
  };
  expect([fitOf("Save Query"), fitOf("Save ticket"), fitOf("Save")]).toEqual([false, true, true]);
  expect(fitOf("Save Query", "Ticket 4: Queries")).toBe(true);
});
