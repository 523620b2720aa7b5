/** Tests that a task without a usable form changes nothing: no form is sent, and the session shows the page it showed before. */
import { expect, test } from "bun:test";
import { plannedInSession } from "../../../../actors/knowledge/tasks-in-session/plan-task-in-session.ts";
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";

const START = "http://site.example/start";
const WITHOUT_FORM: AgentResponse = {
  success: false,
  actions: [],
  expected_result: {},
  metadata: { code: "task.not_found" },
  error: "The map has no form for this task.",
};

test.each([
  ["leads to another site, such as a sign-in", "http://sign-in.example/", true],
  ["cannot be opened", "chrome-error://chromewebdata/", false],
])("a session shows its page again after a link that %s", async (_, target, isOpened) => {
  let url = START;
  const control = { role: "link", name: "", selector: "", xpath: "", attributes: {} };
  const links = [{ url: "http://site.example/vouchers/add", text: "Create a voucher", control }];
  const controls = { headings: [], buttons: [], inputs: [], forms: [] };
  const planned = await plannedInSession(
    WITHOUT_FORM,
    { target: "create a voucher" },
    {
      page: async () => ({
        url,
        title: "",
        headings: [],
        links: url === START ? links : [],
        controls,
        structure: "",
      }),
      elements: async () => [],
      press: async () => false,
      act: async () => false,
      removalPage: async () => ({ url, title: "", headings: [], texts: [], rows: [], elements: [] }),
      open: async (address) => {
        url = address === START ? START : target;
        return address === START || isOpened;
      },
    },
  );
  expect(planned).toMatchObject({ success: false });
  expect(url).toBe(START);
});

test("a form that fits a task to edit something is not sent if the caller gives no value for its fields", async () => {
  const form: AgentResponse = {
    success: true,
    actions: [],
    expected_result: {},
    metadata: {
      operation: "edit",
      task_name: "Go",
      fields: [{ name: "action" }],
      missing_parameters: ["action"],
    },
    error: null,
  };
  const session = {
    page: () => Promise.reject(new Error("No page is read.")),
    open: () => Promise.reject(new Error("No page is opened.")),
    elements: () => Promise.reject(new Error("No element is read.")),
    press: () => Promise.reject(new Error("Nothing is pressed.")),
    act: () => Promise.reject(new Error("Nothing is done.")),
    removalPage: () => Promise.reject(new Error("No text is read.")),
  };
  const planned = await plannedInSession(form, { target: "edit the ticket" }, session);
  expect(planned).toMatchObject({ success: false, metadata: { code: "task.missing_parameters" } });
});

test("a task whose form is not on the map reads the screen that is about its thing, even if no link of the map leads to this screen", async () => {
  let url = START;
  const opened: string[] = [];
  const controls = { headings: [], buttons: [], inputs: [], forms: [] };
  const tags = "http://site.example/config/tags";
  const metadata = { code: "task.form_unknown", screen: { screen_id: "tags", name: "Settings", url: tags } };
  const planned = await plannedInSession(
    { ...WITHOUT_FORM, metadata },
    { target: 'create the tag "Mailbox"' },
    {
      page: async () => ({ url, title: "", headings: [], links: [], controls, structure: "" }),
      elements: async () => [],
      press: async () => false,
      act: async () => false,
      removalPage: async () => ({ url, title: "", headings: [], texts: [], rows: [], elements: [] }),
      open: async (address) => {
        url = address;
        opened.push(address);
        return true;
      },
    },
  );
  expect(planned).toMatchObject({ success: false });
  expect(opened).toEqual([tags, START]);
});
