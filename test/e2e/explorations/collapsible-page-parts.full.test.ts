/**
 * Tests pages with parts that open, such as a section, branch, menu or side bar. An exploration counts a page
 * with an open part as the page itself. Routes and walks still reach the elements in such a part.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { disclosedPartsSite } from "./collapsible-parts-test-site.ts";

setDefaultTimeout(120_000);

const site = disclosedPartsSite();
const cairn = await cairnOfTests();

beforeAll(() => exploreIntoMap(cairn, "parts", { start_url: site.url("/"), mode: "interactive" }));
afterAll(() => site.stop());

const ask = async (instruction: object) =>
  (await cairn.post("/api/knowledge/parts/query", { context: {}, ...instruction })).body;

test("an open section, tree branch, menu or side bar is not a screen of its own, but a dialog and an editor are", async () => {
  const { body } = await cairn.get("/api/knowledge/parts/screens?limit=100");
  const states = body.screens
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => /^(?:Home|Files|Preferences)\b/.test(name))
    .sort();
  expect(states).toEqual([
    "Files",
    "Files: New folder",
    "Home",
    "Preferences",
    "Preferences: Advanced, Edit routes",
  ]);
  const { body: status } = await cairn.get("/api/knowledge/explore/status/parts");
  expect(status.interactive.states).toBe(2);
});

test("find_screen returns the screen of the page while one of its sections is open", async () => {
  const page = await ask({
    instruction_type: "find_screen",
    target: "",
    context: { current_url: site.url("/panels") },
  });
  const open = await ask({
    instruction_type: "find_screen",
    target: "",
    context: {
      current_url: site.url("/panels"),
      dom_summary:
        "Preferences Home Files Personal data Side bar Help pages News of the week Pin notes Advanced Cache size Retries Limits of use Edit routes",
    },
  });
  expect(open.expected_result.screen_id).toBe(page.expected_result.screen_id);
  expect(open.metadata.screen_name).toBe("Preferences");
});

test("a route to a link in a closed section opens the section first", async () => {
  const answer = await ask({
    instruction_type: "navigate_to_screen",
    target: site.url("/limits"),
    context: { current_url: site.url("/tree") },
  });
  expect(answer.success).toBe(true);
  const names = answer.actions.map(({ parameters }: { parameters: { text: string } }) => parameters.text);
  expect(names).toEqual(["Preferences", "Advanced", "Limits of use"]);
});

test("a screen is found by the text of a link to it, even if the screen's name lacks these words", async () => {
  for (const target of ["limits of use", "please show the limits of use"]) {
    const { metadata } = await ask({ instruction_type: "navigate_to_screen", target });
    expect(metadata).toMatchObject({ screen_name: "Limits", found_by: "link" });
  }
});

test("get_actions lists the controls of closed sections with the press that shows them", async () => {
  const { actions } = await ask({ instruction_type: "get_actions", target: site.url("/panels") });
  const limits = actions.find(
    ({ parameters }: { parameters: { text: string } }) => parameters.text === "Limits of use",
  );
  expect(
    limits?.requires?.map(({ parameters }: { parameters: { text: string } }) => parameters.text),
  ).toEqual(["Advanced"]);
});

test("a walk along a route reaches a link and a dialog in a section, whether the section is closed or already open", async () => {
  for (const open of [false, true]) {
    const room_name = open ? "open" : "closed";
    await cairn.call("start_browser_session", { room_name, initial_url: site.url("/panels") });
    if (open)
      await cairn.call("execute_action", {
        room_name,
        action_type: "click",
        params: { name: "Advanced", role: "button" },
      });
    for (const target of ["Preferences: Advanced, Edit routes", site.url("/limits")]) {
      const { metadata, error } = await ask({
        instruction_type: "navigate_to_screen",
        target,
        execute: true,
        context: { room_name },
      });
      const { status, reroutes } = metadata.execution ?? {};
      expect({ target, error, status, reroutes }).toEqual({
        target,
        error: null,
        status: "arrived",
        reroutes: 0,
      });
    }
    await cairn.call("close_browser_session", { room_name });
  }
});
