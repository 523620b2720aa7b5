/** Tests the names and groups of buttons that are drawn as radio buttons, in the HTML of rendered pages. */
import { expect, test } from "bun:test";
import { formAnswer } from "../../../../actors/knowledge/answers/answer-execute-task-instruction.ts";
import { readPage } from "../../../../actors/reading/index.ts";
import { actionsOf } from "../../../../machines/knowledge/screens/page-to-screen.ts";
import { formTasks } from "../../../../machines/knowledge/tasks/tasks-from-forms.ts";

const controlsOf = (fields: string) =>
  readPage({
    url: "https://a.example/posts/add",
    html: `<form method="post"><label>Title <input name="title"></label>${fields}<button>Save</button></form>`,
  }).controls;
const radio = (inner: string, more = "") =>
  `<button type="button" role="radio" aria-checked="false" ${more}>${inner}</button>`;

const taskOf = (fields: string) => {
  const controls = JSON.stringify(controlsOf(fields));
  const id: [string, string] = ["m", "https://a.example/posts/add"];
  // The ids are plain texts in tests.
  const page = { id, knowledge_id: "m", controls, headings: [] } as unknown as Parameters<
    typeof actionsOf
  >[0];
  const [task] = formTasks(actionsOf(page));
  if (!task) throw new Error("The page has no form.");
  return task;
};

/** Radio buttons as each library draws them. */
const DRAWN = {
  "React Aria, KeystoneJS": `<span id="s">Status</span><div role="radiogroup" aria-labelledby="s">${radio("<span>Draft</span>")}${radio("<span>Published</span>")}</div>`,
  "Radix UI, shadcn/ui": `<div role="radiogroup" aria-label="Status">${["Draft", "Published"].map((name, at) => `<div>${radio("", `id="r${at}" value="${name}"`)}<label for="r${at}">${name}</label></div>`).join("")}</div>`,
  "text beside it": `<div role="radiogroup" aria-label="Status">${["Draft", "Published"].map((name) => `<div>${radio("<svg></svg>")}<input type="radio" aria-hidden="true" tabindex="-1" style="display: none"><span>${name}</span></div>`).join("")}</div>`,
};

test.each(Object.entries(DRAWN))(
  "drawn radio buttons of one group are one field with options: %s",
  (_, html) => {
    const controls = controlsOf(html);
    const task = taskOf(html);
    expect(controls.forms).toMatchObject([{ fields: expect.arrayContaining(["title", "Status"]) }]);
    const field = task.fields.find(({ name }) => name === "Status");
    expect(field).toMatchObject({
      label: "Status",
      type: "radio",
      constraints: { options: ["Draft", "Published"] },
    });
  },
);

const NATIVE = `<fieldset><legend>Status</legend>${["Draft", "Published"].map((name) => `<label><input type="radio" name="state" value="${name[0]}"> ${name}</label>`).join("")}</fieldset>`;
const answerFor = (html: string, value: string) =>
  formAnswer({ task: taskOf(html), fit: 1 }, { operation: "create" }, new Map([["status", value]]), {
    ...{ screenId: "s", screenName: "Add", way: [], pages: [], arrival: {} },
  });

test.each([DRAWN["React Aria, KeystoneJS"], DRAWN["Radix UI, shadcn/ui"], NATIVE])(
  "a task with a value for drawn radio buttons clicks the radio button with this name",
  (html) => {
    const { actions } = answerFor(html, "published");
    const clicks = actions.filter(({ tool_name }) => tool_name === "click");
    expect(clicks.map(({ parameters }) => parameters.text)).toEqual(["Published"]);
    const { metadata } = answerFor(html, "Archived");
    expect(metadata.unknown_parameters).toEqual(['the option "Archived" of Status (Draft, Published)']);
  },
);
