/**
 * Tests popup windows that a form opens. The answer of the action that opens a window lists the new tab, and
 * the tab is removed when the window closes.
 */
import { expect, test } from "bun:test";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests({
  routes: {
    "/form": html("Form", `<form method="post" action="/done"><button>Save</button></form>`),
    "/done": async () => html("Done", `<script>opener.document.title = "Told"; close();</script>`),
  },
});

const click = async (name: string) =>
  await stage.act("click", { index: called(await stage.analyze(), name).highlight_index });

test.each([
  ["window.open", `<button onclick="window.open('/form', 'w', 'width=500,height=400')">Add</button>`],
  ["a link to a new window", `<a href="/form" target="_blank" rel="opener">Add</a>`],
])("a window that a click opens by %s is reported as a new tab until the window closes", async (_, body) => {
  await stage.show(body);
  expect((await click("Add")).data).toMatchObject({ opened_tabs: [1] });
  expect(await stage.act("switch", { tab: 1 })).toMatchObject({ success: true });
  await click("Save");
  while ((await stage.session.context().catch(() => undefined))?.title !== "Told") await Bun.sleep(10);
  expect((await stage.session.context()).tabs).toHaveLength(1);
});
