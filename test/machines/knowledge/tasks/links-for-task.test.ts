/** Tests which links of a page are opened to find the form of a task. */
import { expect, test } from "bun:test";
import { stemsOf, taskWords } from "../../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { linksForTask, type PageSubject } from "../../../../machines/knowledge/tasks/links-for-task.ts";

const SITE = "http://site.example";
const choose = (
  target: string,
  links: readonly (readonly [string, string])[],
  page: Partial<PageSubject> = {},
) => {
  const found = linksForTask(
    links.map(([text, path]) => ({ text, url: SITE + path })),
    taskWords(target),
    { url: `${SITE}/start`, words: new Set(), object: undefined, ...page },
  );
  const paths = (some: readonly { readonly url: string }[]) => some.map(({ url }) => url.slice(SITE.length));
  return { open: paths(found.open), risky: paths(found.risky), unclear: paths(found.unclear) };
};
const NOTHING = { open: [], risky: [], unclear: [] };

test("a link that names the operation and the thing (Create a new tax rule) ranks before lists (Tax rules, Taxes)", () => {
  const links = [
    ["Taxes", "/taxes/"],
    ["Tax rules", "/rules/"],
    ["Create several new tax rules", "/rules/bulk"],
    ["Create a new tax rule", "/rules/add"],
    ["Delete a tax rule", "/rules/remove"],
    ["Orders", "/orders/"],
  ] as const;
  expect(choose("create a tax rule", links)).toEqual({
    ...NOTHING,
    open: ["/rules/add", "/rules/bulk", "/rules/", "/taxes/"],
  });
});

test('a link "New" without a noun is opened only on a page about the thing that the task creates', () => {
  const links = [["New", "/new"]] as const;
  expect(choose("create a voucher", links)).toEqual(NOTHING);
  expect(choose("create a voucher", links, { words: new Set(stemsOf("Vouchers")) }).open).toEqual(["/new"]);
});

test("a link that shows only a plus sign is opened to create a thing of the kind that its page lists", () => {
  const linkWith = (icon: string, url = `${SITE}/suppliers/+`) =>
    linksForTask([{ text: url, url, attributes: { icon } }], taskWords("create a supplier"), {
      url: `${SITE}/suppliers`,
      words: new Set(stemsOf("Suppliers")),
      object: undefined,
    }).open.map((link) => link.url);
  expect(linkWith("add")).toEqual([`${SITE}/suppliers/+`]);
  expect(linkWith("plus thick", `${SITE}/x`)).toEqual([`${SITE}/x`]);
  expect(linkWith("people alt", `${SITE}/x`)).toEqual([]);
});

test("the links of the object that a task names are opened, and those of other objects are not", () => {
  const links = [
    ["Merchandise", "/quotas/2/"],
    ["Edit", "/quotas/2/change"],
    ["Seats", "/quotas/1/"],
    ["Edit", "/quotas/1/change"],
  ] as const;
  const words = new Set(stemsOf("Quotas"));
  expect(choose('edit the quota "Merchandise"', links, { words })).toEqual({
    ...NOTHING,
    open: ["/quotas/2/change", "/quotas/2/"],
  });
  expect(choose('edit the quota "Backstage"', links, { words })).toEqual(NOTHING);
});

test("a link to an object that the task does not name is reported as unclear and not opened, even if it is the only one", () => {
  const shops = [
    ["Vouchers", "/north/vouchers/"],
    ["Vouchers", "/south/vouchers/"],
  ] as const;
  expect(choose("create a voucher", shops).unclear).toEqual(["/north/vouchers/", "/south/vouchers/"]);
  const recent = [["carla", "/user/3/change"]] as const;
  expect(choose("edit the user", recent)).toEqual({ ...NOTHING, unclear: ["/user/3/change"] });
  const own = { url: `${SITE}/user/3`, words: new Set(["user"]) };
  expect(choose("edit the user", [["Edit", "/user/3/change"]], own).open).toEqual(["/user/3/change"]);
});

test("a link that may change data is not opened, unless the word that sounds like a change belongs to the thing (Add reply)", () => {
  expect(
    choose('delete the list "Door"', [
      ["Door", "/lists/1"],
      ["Delete", "/lists/1/delete"],
    ] as const),
  ).toEqual({
    ...NOTHING,
    open: ["/lists/1"],
    risky: ["/lists/1/delete"],
  });
  expect(choose("add a reply", [["Add reply", "/replies/add"]] as const).open).toEqual(["/replies/add"]);
  expect(choose("add a comment", [["Send a comment", "/comments"]] as const)).toMatchObject({
    open: [],
    risky: ["/comments"],
  });
});

test("a link that names only a change (Publish) is not opened for a task whose thing has this word in its name (publish date)", () => {
  const links = [
    ["Publish date", "/post/date"],
    ["Publish", "/post/publish"],
  ] as const;
  expect(choose("edit the publish date", links)).toEqual({
    ...NOTHING,
    open: ["/post/date"],
    risky: ["/post/publish"],
  });
});
