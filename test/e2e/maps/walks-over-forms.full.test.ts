/**
 * Tests walks (executions of routes) that must fill in a form. A walk enters only values that its caller
 * gave, and reports the fields without a given value.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(60_000);

/** A wizard at one address. Its first step has empty required fields of several types. */
const wizard = `<h1>Book a room</h1><p><a href="/">Home</a></p>
<form id="guest-form"><label>Guest name <input name="guest" required></label>
<label>E-mail <input name="mail" type="email" required></label>
<label>Nights <input name="nights" type="number" required value="2"></label>
<label>Remarks <input name="remarks"></label>
<button>Next: summary</button></form>
<section id="summary" hidden><h2>Summary of your booking</h2><p id="of"></p><button type="button">Read the terms</button></section>
<script>const form = document.getElementById("guest-form");
form.addEventListener("submit", (event) => { event.preventDefault(); of.textContent = form.guest.value + " " + form.mail.value; form.hidden = true; summary.hidden = false; });
const of = document.getElementById("of"), summary = document.getElementById("summary");</script>`;

const site = siteOfTests({
  "/": html("Inn", `<h1>Inn</h1><p><a href="/book">Book a room</a></p>`),
  "/book": html("Book a room", wizard),
});

const cairn = await cairnOfTests();

beforeAll(() => exploreIntoMap(cairn, "inn", { start_url: site.url("/"), mode: "interactive" }));

async function walk(room: string, parameters?: Readonly<Record<string, unknown>>) {
  const { body } = await cairn.post("/api/knowledge/inn/query", {
    instruction_type: "navigate_to_screen",
    target: "Book a room: Next: summary",
    execute: true,
    context: { room_name: room, ...(parameters ? { parameters } : {}) },
  });
  return body;
}

async function textOf(room: string): Promise<string> {
  const { body } = await cairn.call("analyze_page", { room_name: room, include_text: true });
  return body.data.text_content;
}

test("a walk along a route stops before a form with empty required fields, and names the fields with their types and examples", async () => {
  await cairn.call("start_browser_session", { room_name: "asks", initial_url: site.url("/") });
  const body = await walk("asks");
  expect(body).toMatchObject({
    success: false,
    error:
      'The step Click "Next: summary" to go to Book a room: Next: summary needs values in context.parameters: guest (Guest name), mail (E-mail).',
    metadata: {
      code: "walk.missing_parameters",
      missing_parameters: ["guest", "mail"],
      fields: [
        { name: "guest", label: "Guest name", type: "text", example: "Sample" },
        { name: "mail", label: "E-mail", type: "email", example: "guest@example.com" },
      ],
      execution: { status: "failed", reroutes: 0 },
    },
  });
  expect(await textOf("asks")).not.toContain("Summary of your booking");
});

test("a walk along a route enters the values of its caller by name or label, and continues from where it stopped", async () => {
  const body = await walk("asks", { guest: "Ada", "E-mail": "ada@inn.example" });
  expect([body.error, body.success]).toEqual([null, true]);
  expect(body.metadata.execution.steps).toHaveLength(1);
  expect(await textOf("asks")).toContain("Ada ada@inn.example");
});

test("a walk along a route does not change the fields of its form that are already filled in", async () => {
  await cairn.call("start_browser_session", { room_name: "filled", initial_url: site.url("/book") });
  const enter = (label: string, value: string) =>
    cairn.call("execute_action", {
      room_name: "filled",
      action_type: "fill_form",
      params: { fields: [{ label, value }] },
    });
  await enter("Guest name", "Bert");
  const body = await walk("filled", { guest: "Ada", mail: "bert@inn.example" });
  expect([body.error, body.success]).toEqual([null, true]);
  expect(await textOf("filled")).toContain("Bert bert@inn.example");
});

test("a walk along a route closes a layer that covers the form before it enters the values", async () => {
  const layer = `<div id="news" role="dialog" style="position:fixed;inset:0;background:#fff">Our news <button type="button" onclick="news.remove()">Close</button></div>`;
  site.routes.set("/book", html("Book a room", wizard + layer));
  await cairn.call("start_browser_session", { room_name: "covered", initial_url: site.url("/book") });
  const body = await walk("covered", { guest: "Eve", mail: "eve@inn.example" });
  expect([body.error, body.success]).toEqual([null, true]);
  expect(await textOf("covered")).toContain("Eve eve@inn.example");
});

test("a step that lacks values does not count as a failure of its transition", async () => {
  const { body } = await cairn.get("/api/knowledge/inn/export");
  const next = body.transitions.find(
    ({ action }: { action: { name: string } }) => action.name === "Next: summary",
  );
  expect([next.failures, next.successes >= 2]).toEqual([0, true]);
});
