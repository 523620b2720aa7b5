/** Tests tasks that create something on the page of an object which they name, such as a comment to an issue. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mapFileSchema } from "../../../../machines/knowledge/formats/map-file-schema.ts";
import { sketchOf } from "../../../../machines/knowledge/screens/page-feature-sketch.ts";
import { Town, until } from "../explorations-and-maps-with-memory-store.ts";

const ORIGIN = "https://app.test";
const structure = sketchOf(Array.from({ length: 40 }, (_, at) => `issue ${at}`));
const ISSUES = ["Gate jam", "TideGaugeOffline", "Seat taken"];
const at = (number: number) => `/issues/${number}/history/`;

let town: Town;
beforeAll(async () => {
  town = await Town.start();
  const part = mapFileSchema.parse({
    format: "cairn-map",
    version: 1,
    screens: ISSUES.map((name, index) => ({
      screen_id: `issue_${index}`,
      name,
      url: ORIGIN + at(index),
      url_patterns: [`^https?://app\\.test${at(index)}$`],
      structure,
      state_signature: { required_indicators: [{ type: "dom_contains", value: name }] },
    })),
    actions: ISSUES.flatMap((_, index) => [
      {
        screen_id: `issue_${index}`,
        action_id: `issue_${index}.input`,
        action_type: "input",
        name: "Comment",
        target: {
          role: "textbox",
          name: "Comment",
          selector: "",
          xpath: "",
          attributes: { tag: "textarea", name: "comment" },
        },
      },
      {
        screen_id: `issue_${index}`,
        action_id: `issue_${index}.submit`,
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
            action: `${ORIGIN}${at(index)}comments/`,
            fields: "comment",
            submit: "Add comment",
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

const addComment = async (issue: string, current_url: string, comment = "Battery replaced") => {
  const target = `add a comment to the issue "${issue}"`;
  const { metadata, actions } = await town.agent("app", "execute_task", target, {
    current_url,
    parameters: { comment },
  });
  return {
    code: metadata.code,
    pages: metadata.pages,
    opened: actions.map(({ parameters }) => parameters.url),
  };
};

test.each([
  ["TideGaugeOffline", ORIGIN],
  ["Tide gauge offline", ORIGIN],
  ["TideGaugeOffline", ORIGIN + at(0)],
])(
  'a comment to the issue "%s" is added on the page of this issue, although the session shows the page %s',
  async (issue, url) => {
    const { pages, opened } = await addComment(issue, url);
    expect(pages).toBeUndefined();
    expect(opened).toContain(ORIGIN + at(1));
  },
);

test("a name that no page has leads to the question which page is meant", async () => {
  const { pages } = await addComment("Lock open", ORIGIN);
  expect(pages).toHaveLength(ISSUES.length);
});
