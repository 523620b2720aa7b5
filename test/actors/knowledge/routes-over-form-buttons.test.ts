/** Tests routes to pages that only the button of a form opens, such as the form "edit" beside each person. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

const TIMEOUT = 60_000;
const rows = ["Ada", "Ben", "Cleo"].map(
  (name, at) =>
    `<tr><td>${name}</td><td><form action="/members/${at + 1}/edit" method="GET"><button type="submit">edit</button>
     </form></td></tr>`,
);

let town: Town;
let site: ScriptedSite;

beforeAll(async () => {
  town = await Town.start();
  site = serveSite({
    "/": html("Flat", `<h1>Flat</h1><a href="/bills">Bills</a><table>${rows.join("")}</table>`),
    "/bills": html("Bills", `<h1>Bills</h1><a href="/">Back</a><p>No bills yet.</p>`),
    "*": (request) =>
      html(
        "Edit member",
        `<h1>Member ${new URL(request.url).pathname.split("/")[2]}</h1>
         <form method="post"><label>Name <input name="name"></label><button>Save</button></form>`,
      ),
  });
  await town.explore("job", site.url("/"), "flat");
}, TIMEOUT);
afterAll(async () => {
  await site.stop();
  await town.stop();
});

test("a page behind the button of a form without fields is read, and a route to it clicks this button", async () => {
  const { actions, metadata, success } = await town.agent(
    "flat",
    "navigate_to_screen",
    site.url("/members/2/edit"),
    { current_url: site.url("/bills") },
  );
  expect([success, metadata.by_address]).toEqual([true, undefined]);
  expect(actions.map(({ tool_name, parameters }) => [tool_name, parameters.text])).toEqual([
    ["click", "Back"],
    ["click", "edit"],
  ]);
  const { xpath, fingerprint } = actions.at(-1)?.parameters ?? {};
  expect(xpath).toMatch(/\/tr\[2\]\/td\[2\]\/form\/button$/);
  expect(fingerprint).toMatchObject({ role: "button", name: "edit", tag: "button" });
});
