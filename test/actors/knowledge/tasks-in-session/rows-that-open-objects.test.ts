/** Tests that tasks open the page of an object by a click on its row, in lists without links. */
import { expect, test } from "bun:test";
import { plannedInSession } from "../../../../actors/knowledge/tasks-in-session/plan-task-in-session.ts";
import { readPage, readTexts } from "../../../../actors/reading/index.ts";
import type { AgentResponse } from "../../../../machines/knowledge/knowledge-protocol.ts";
import { element } from "../../../machines/dialogue/support/test-page-elements.ts";

const LIST = "http://site.example/workshops";
const PAGE = `${LIST}/3`;
const ROW = "/html/body/main/table/tbody";
const html = (url: string): string =>
  url === LIST
    ? `<title>Workshops</title><main><h1>Workshops</h1><table><tbody><tr><td>Winter pruning</td><td>12</td></tr>
       <tr><td>Grafting day</td><td>10</td></tr></tbody></table></main>`
    : `<title>Grafting day</title><div><header><h1>Grafting day</h1><button><i data-icon="check"></i></button></header>
       <main><label>Seats <input></label></main></div>`;

const WITHOUT_FORM: AgentResponse = {
  success: false,
  actions: [],
  expected_result: {},
  metadata: { code: "task.not_found" },
  error: "The map has no form for this task.",
};

async function planned(target: string) {
  let url = LIST;
  const pressed: number[] = [];
  const rows = [1, 2].map((at) =>
    element({ tagName: "tr", interactionType: "click", xpath: `${ROW}/tr[${at}]`, textContent: "row" }),
  );
  const elements = async () => (url === LIST ? rows : []);
  const read = () => readPage({ url, html: html(url), mediaType: "text/html" });
  const answer = await plannedInSession(
    WITHOUT_FORM,
    { target },
    {
      page: async () => {
        const { title, headings, controls, structure } = read();
        return { url, title, headings, links: [], controls, structure };
      },
      elements,
      press: async (index) => {
        pressed.push(rows.findIndex(({ highlight_index }) => highlight_index === index));
        url = PAGE;
        return true;
      },
      act: async () => false,
      removalPage: async () => {
        const { title, headings } = read();
        return { url, title, headings, ...readTexts(html(url)), elements: await elements() };
      },
      open: async (address) => {
        url = address;
        return true;
      },
    },
  );
  return { answer, pressed, url };
}

test("the page of an object is opened by its row, and its form is found there", async () => {
  const { answer, pressed, url } = await planned('edit the workshop "Grafting day"');
  expect(pressed).toEqual([1]);
  expect(url).toBe(PAGE);
  expect(answer).toMatchObject({ metadata: { missing_parameters: ["Seats"], page: { url: PAGE } } });
});

test("no row is clicked if none has the name of the object", async () => {
  const { answer, pressed } = await planned('edit the workshop "Grafting"');
  expect(pressed).toEqual([]);
  expect(answer).toMatchObject({ success: false });
});
