/** Tests dialogues whose route on the map begins with a link in a menu that is closed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(90_000);

const sent: string[] = [];
/** The menu of Airflow opens while the pointer is over its entry. */
const MENU = `<style>.menu ul { display: none } .menu:hover ul { display: block }</style>
  <div class="menu"><a href="javascript:void(0)">Admin</a><ul><li><a href="/connections">Connections</a></li></ul></div>`;
const page = (title: string, body: string) => html(title, `${MENU}<h1>${title}</h1>${body}`);
const NAMES = ["harbour_db", "tide_api"];

const site = siteOfTests({
  "/": page("Start", "<p>Welcome.</p>"),
  "/connections": page(
    "Connections",
    `<table>${NAMES.map((name, at) => `<tr><td><a href="/connections/${at}/edit">Edit</a></td><td>${name}</td><td>http</td></tr>`).join("")}</table>`,
  ),
  ...Object.fromEntries(
    NAMES.map((name, at) => [
      `/connections/${at}/edit`,
      page(
        "Edit connection",
        `<form action="/sent"><input type="hidden" name="id" value="${name}"><label>Host <input name="host"></label><button>Save</button></form>`,
      ),
    ]),
  ),
  "/sent": (request) => {
    sent.push(new URL(request.url).search);
    return page("Saved", "<p>Saved.</p>");
  },
});
const cairn = await cairnOfTests();

test("a dialogue opens the page behind a closed menu, and edits the thing in the row with its name", async () => {
  await exploreIntoMap(cairn, "menus", { start_url: site.url("/"), exclude: ["/sent*"] });
  const { body } = await cairn.post("/api/dialogues", {
    ...{ task: 'Change the host of the connection tide_api to "a.example.com"', url: site.url("/") },
    ...{ knowledge_id: "menus", auto_approve: true },
  });
  const ends = ["completed", "error", "clarifying", "mid_exec_dialog", "awaiting_approval"];
  let status = "";
  while (!ends.includes(status)) {
    await Bun.sleep(100);
    status = (await cairn.get(`/api/dialogues/${body.dialogue_id}`)).body.status;
  }
  expect([status, sent]).toEqual(["completed", ["?id=tide_api&host=a.example.com"]]);
});
