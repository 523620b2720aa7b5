/** Tests the names of screens whose rendered pages share one title. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { AtlasCache } from "../../../actors/knowledge/in-memory-map-cache.ts";
import { mapBatch } from "../../../actors/knowledge/ingest/pages-to-map-batch.ts";
import { nameBatches } from "../../../actors/knowledge/ingest/rename-screens-in-batches.ts";
import { batchWrites } from "../../../machines/knowledge/rows-of-one-map-commit.ts";
import { stateIdOf } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { ScreenRecord } from "../../../machines/records/map-records.ts";
import type { PageRecord } from "../../../machines/records/page-records.ts";
import { ingestRow, leadingTo, MAP, pageRow, screenRow } from "../../store/sample-store-rows.ts";
import { memoryStore, type TemporaryStore } from "../../store/temporary-store.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await memoryStore();
});
afterEach(() => temporary.close());

/**
 * Returns the names of screens, by path and fragment, after the given pages were stored, grouped and renamed.
 *
 * @param states states that are added to the map before the screens are renamed
 */
async function namesOf(
  pages: Readonly<Record<string, Partial<PageRecord>>>,
  states: readonly ScreenRecord[] = [],
) {
  const { store } = temporary;
  const rows = Object.entries(pages).map(([key, fields]) => pageRow(key, fields));
  await store.write([{ op: "put", table: "page", rows }]);
  const batch = await mapBatch(
    store,
    MAP,
    Object.keys(pages).map((key, seq) => ingestRow(key, seq)),
    new Map(),
  );
  await store.write(batchWrites(MAP, { ...batch, screens: [...batch.screens, ...states] }, [], 1));
  const atlas = await new AtlasCache().get(store, MAP, 1);
  const parts = new Map<string, never>();
  for (const names of await nameBatches(store, MAP, atlas, parts))
    await store.write(batchWrites(MAP, names, [], 2));
  const renamed = await new AtlasCache().get(store, MAP, 2);
  return Object.fromEntries(
    [...renamed.screens()].map(({ url, name }) => {
      const { pathname, hash } = new URL(url);
      return [pathname + hash, name];
    }),
  );
}

test("rendered pages that share a title are named by their headings", async () => {
  const page = (title: string, ...headings: string[]) => ({
    title,
    headings,
    rendered_by: "browser" as const,
  });
  const names = await namesOf({
    "": page("Acme", "Status"),
    rooms: page("Acme", "Rooms"),
    log: page("Logs"),
    help: page("Help"),
    users: page("Users"),
    docs: page("Reference", "Guide"),
    "docs/all": page("Reference", "Guide"),
  });
  expect(names).toEqual({
    "/": "Status",
    "/rooms": "Rooms",
    "/log": "Logs",
    "/help": "Help",
    "/users": "Users",
    "/docs": "Reference",
    "/docs/all": "Reference",
  });
});

test("pages that were read over HTTP are named by their title, even if several pages share the title", async () => {
  const page = (title: string, heading: string) => ({
    title,
    headings: [heading],
    rendered_by: "http" as const,
  });
  const names = await namesOf({
    "ada/edit": page("Edit", "Edit Ada"),
    "bob/edit": page("Edit", "Edit Bob"),
    a: page("One", "One"),
    b: page("Two", "Two"),
    c: page("Three", "Three"),
  });
  expect(names).toMatchObject({ "/ada/edit": "Edit", "/bob/edit": "Edit" });
});

test("no page is named after a heading that most pages have, and states of a page keep the name of their page", async () => {
  const page = (headings: readonly string[], links: readonly string[] = []) => ({
    title: "Acme",
    headings: ["Our newsletter", ...headings],
    rendered_by: "browser" as const,
    ...leadingTo(links),
  });
  const names = await namesOf(
    {
      "": page([], ["list"]),
      list: page([]),
      "orders/edit": page([]),
      rooms: page(["Rooms"]),
    },
    [
      screenRow(stateIdOf("rooms", ["New"]), {
        name: "Our newsletter: New",
        url: "https://site.test/rooms#new",
      }),
      screenRow(stateIdOf("rooms", ["Filter"]), {
        name: "Large: Filter",
        url: "https://site.test/rooms#old",
      }),
    ],
  );
  expect(names).toEqual({
    "/": "Acme",
    "/list": "to list",
    "/orders/edit": "Edit",
    "/rooms": "Rooms",
    "/rooms#new": "Rooms: New",
    "/rooms#old": "Large: Filter",
  });
});

test.if(isFull)(
  "page states whose name came from a heading of a menu are renamed after their page",
  async () => {
    const page = (title: string) => ({ title, headings: [title], rendered_by: "browser" as const });
    const state = (key: string, press: string) =>
      screenRow(stateIdOf(key, [press]), { name: `Manage: ${press}`, url: `https://site.test/${key}#new` });
    const names = await namesOf({ groups: page("Groups"), roles: page("Roles"), keys: page("Keys") }, [
      state("groups", "Create group"),
      state("roles", "Add attributes"),
    ]);
    expect(names).toMatchObject({
      "/groups#new": "Groups: Create group",
      "/roles#new": "Roles: Add attributes",
    });
  },
);

// In Home Assistant, a page of the settings has the title of all settings until its script has run.
test("page states whose name came from another title, or from a part of their page, are renamed after their page", async () => {
  const page = (title: string, ...headings: string[]) => ({
    title: `${title} – Acme`,
    headings,
    rendered_by: "browser" as const,
  });
  const state = (key: string, name: string) =>
    screenRow(stateIdOf(key, ["Press"]), { name: `${name}: Press`, url: `https://site.test/${key}#new` });
  const names = await namesOf(
    {
      tags: page("Tags – Settings"),
      zones: page("Zones – Settings"),
      profile: page("Profile", "Nora Keller", "Tokens"),
      history: page("History"),
      steps: page("Import", "Files"),
      plain: { title: "Acme", headings: ["Boats", "Docks"], rendered_by: "browser" },
    },
    [
      state("tags", "Settings – Acme"),
      state("zones", "Settings – Acme"),
      state("profile", "Nora Keller"),
      state("history", "History – Acme"),
      state("steps", "Columns"),
      state("plain", "Docks"),
    ],
  );
  expect(names).toMatchObject({
    "/tags#new": "Tags – Settings: Press",
    "/zones#new": "Zones – Settings: Press",
    "/profile#new": "Profile: Press",
    "/history#new": "History: Press",
    "/steps#new": "Columns: Press",
    "/plain#new": "Docks: Press",
  });
});

// In Plone and Drupal, the toolbars have hidden headings that most pages of a site share.
test.if(isFull)(
  "no page is named after a heading that most pages of the site have, even if most pages with this heading have titles of their own",
  async () => {
    const hidden = "Add new…";
    const page = (title: string, heading: string) => ({
      title,
      headings: [hidden, heading],
      rendered_by: "browser" as const,
    });
    const names = await namesOf({
      "": page("Acme", "Welcome"),
      map: page("Acme", "Site map"),
      rooms: page("Rooms - Acme", "Rooms"),
      orders: page("Orders - Acme", "Orders"),
      notes: page("Notes - Acme", "Notes"),
      boats: { ...page("Acme", "Boats"), headings: ["Boats"] },
      guides: { ...page("Acme", "Guides"), headings: ["Guides"] },
      people: { ...page("Acme", "People"), headings: ["People"] },
    });
    expect(names).toMatchObject({ "/": "Welcome", "/map": "Site map" });
  },
);

test.if(isFull)(
  "a page that is named by its entry in the menu keeps the name when it is read again",
  async () => {
    const { store } = temporary;
    const links = leadingTo(["list", "rooms/", "staff"]);
    const page = { title: "Acme", headings: ["Our newsletter"], ...links };
    const rows = ["", "list", "rooms", "staff"].map((key) => pageRow(key, page));
    const waiting = rows.map(({ id }, seq) => ingestRow(id[1], seq));
    const names = async () =>
      [...(await new AtlasCache().get(store, MAP, 1)).screens()].map(({ name }) => name).sort();
    await store.write([{ op: "put", table: "page", rows }]);
    await store.write(batchWrites(MAP, await mapBatch(store, MAP, waiting, new Map()), [], 1));
    const atlas = await new AtlasCache().get(store, MAP, 1);
    const batches = await nameBatches(store, MAP, atlas, new Map());
    for (const batch of batches) await store.write(batchWrites(MAP, batch, [], 1));
    const first = await names();
    expect(first).toEqual(["Acme", "to list", "to rooms/", "to staff"]);
    const parts = new Map(Object.entries(batches.at(-1)?.site_parts ?? {}));
    await store.write(batchWrites(MAP, await mapBatch(store, MAP, waiting, parts), [], 1));
    expect(await names()).toEqual(first);
  },
);

test("the name of a page state loses only the part that all titles of the site share, and keeps the title of its page", async () => {
  const state = { name: "Acme: Rooms: New", url: "https://site.test/rooms#new" };
  const names = await namesOf(
    { rooms: { title: "Acme: Rooms" }, orders: { title: "Acme: Orders" }, help: { title: "Acme: Help" } },
    [screenRow(stateIdOf("rooms", ["New"]), state)],
  );
  expect(names).toMatchObject({ "/rooms": "Rooms", "/rooms#new": "Rooms: New" });
});

test.if(isFull)(
  "a page with its title as a heading keeps the title, although the heading of a hidden dialog precedes it",
  async () => {
    const list = (name: string, dialog: string) => ({
      title: `Issues · ${name} · Acme`,
      headings: [dialog, `Issues · ${name}`],
      rendered_by: "browser" as const,
    });
    const names = await namesOf({
      "issues/1": list("Ferry Booking", "Delete Issues"),
      "issues/1/muted": list("Ferry Booking", "Delete muted issues"),
      "issues/2": list("Tide Tables", "Delete Issues"),
      users: { title: "Users · Acme" },
      "teams/a": { title: "Members · Harbour · Acme" },
      "teams/b": { title: "Members · Mill · Acme" },
      counts: { title: "Counts · Acme" },
    });
    expect(names).toMatchObject({
      "/issues/1": "Issues · Ferry Booking",
      "/issues/1/muted": "Issues · Ferry Booking",
      "/issues/2": "Issues · Tide Tables",
    });
  },
);
