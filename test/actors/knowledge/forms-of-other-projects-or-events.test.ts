/** Tests that a task creates something in the container that the browser shows, such as one of several events. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import { mapFileSchema } from "../../../machines/knowledge/formats/map-file-schema.ts";
import { sketchOf } from "../../../machines/knowledge/screens/page-feature-sketch.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";

const ORIGIN = "https://app.test";
/** The pages of a map with three events. Of the event "lantern", the map has no form for a voucher. */
const PAGES: Readonly<Record<string, string>> = {
  "/events/regatta/": "Winter Regatta",
  "/events/regatta/vouchers/": "Vouchers",
  "/events/regatta/vouchers/add": "Voucher",
  "/events/regatta/vouchers/add?copy_from=1": "Voucher",
  "/events/regatta/vouchers/add?copy_from=2": "Voucher",
  "/events/lantern/": "Lantern Night",
  "/events/lantern/vouchers/": "Vouchers",
  "/events/market/": "Fish Market",
  "/events/market/vouchers/": "Vouchers",
  "/events/market/vouchers/add": "Voucher",
  "/settings/teams/": "Teams",
};
const FORM = "/vouchers/add";
const idOf = (path: string) => screenIdOf(urlKey(ORIGIN + path));

let town: Town;
beforeAll(async () => {
  town = await Town.start();
  const paths = Object.keys(PAGES);
  const part = mapFileSchema.parse({
    format: "cairn-map",
    version: 1,
    screens: paths.map((path) => ({
      screen_id: idOf(path),
      name: PAGES[path],
      url: ORIGIN + path,
      url_patterns: [`^${ORIGIN}${path.replace("?", "\\?")}$`],
      structure: sketchOf(
        Array.from({ length: 40 }, (_, at) => `${path.includes(FORM) ? FORM : path} ${at}`),
      ),
      state_signature: { required_indicators: [{ type: "dom_contains", value: PAGES[path] }] },
    })),
    actions: paths
      .filter((path) => path.includes(FORM))
      .flatMap((path) => [
        {
          screen_id: idOf(path),
          action_id: `${idOf(path)}.input`,
          action_type: "input",
          name: "Code",
          target: {
            role: "textbox",
            name: "Code",
            selector: "",
            xpath: "",
            attributes: { tag: "input", name: "code" },
          },
        },
        {
          screen_id: idOf(path),
          action_id: `${idOf(path)}.submit`,
          action_type: "submit_form",
          name: "Form",
          target: {
            role: "form",
            name: "Form",
            selector: "form",
            xpath: "(//form)[1]",
            attributes: {
              tag: "form",
              method: "post",
              action: ORIGIN + path,
              fields: "code",
              submit: "Save",
            },
          },
        },
      ]),
    transitions: [],
  });
  await town.cairn.ask("knowledge", "app", { type: "IMPORT", part });
  await until(async () => (await town.mapStatus("app")).state === "idle");
});
afterAll(() => town.stop());

const create = async (target: string, shown: string) => {
  const { success, metadata, actions } = await town.agent("app", "execute_task", target, {
    current_url: ORIGIN + shown,
    parameters: { code: "MOON" },
  });
  return {
    success,
    pages: metadata.pages,
    opened: actions.flatMap(({ parameters }) => parameters.url ?? []),
  };
};

test("a task to create a voucher opens the voucher form of the event that the browser shows, although several events have such a form", async () => {
  for (const event of ["regatta", "market"]) {
    const { success, pages, opened } = await create("create a voucher", `/events/${event}/`);
    expect([success, pages, opened]).toEqual([true, undefined, [`${ORIGIN}/events/${event}${FORM}`]]);
  }
});

test("a task for a voucher creates none if its form is known only for another event of the shop than the browser shows", async () => {
  const { success } = await create("create a voucher", "/events/lantern/vouchers/");
  expect(success).toBe(false);
});

test("a task that names another event than the browser shows creates the voucher in the named event", async () => {
  const { success, opened } = await create("create a voucher for the Fish Market", "/events/lantern/");
  expect([success, opened]).toEqual([true, [`${ORIGIN}/events/market${FORM}`]]);
});

test("the agent chooses the event of a new voucher if the browser shows a page outside of all events", async () => {
  const { pages } = await create("create a voucher", "/settings/teams/");
  expect(pages).toHaveLength(2);
});
