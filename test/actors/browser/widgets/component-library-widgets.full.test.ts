/**
 * Tests widgets of common component libraries from their npm packages. They must be listed and operated like
 * native elements.
 */
import { describe, expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { stageOfTests } from "../session/session-for-one-test-file.ts";
import { headOf, type Library, libraries } from "./component-library-test-site.ts";

const stage = await stageOfTests();

const CITIES = ["Graz", "Linz", "Vienna", "Wels"];
const OPTIONS = CITIES.map((city) => `<option value="${city.toLowerCase()}">${city}</option>`).join("");
const SELECTS = `<label for="one">City</label><select id="one">${OPTIONS}</select><p>Between</p>
  <label for="many">Cities</label><select id="many" multiple>${OPTIONS}</select><button>After</button>`;

async function show(library: Library, body: string): Promise<void> {
  await stage.show(body, await headOf(stage, library));
}

/**
 * Performs an action on the element with this name. If several elements have the same name, pass a pattern
 * instead, which must match the element's selector and name.
 */
async function act(name: string, element: string | RegExp, params: Readonly<Record<string, unknown>> = {}) {
  const { highlightedElements, clickableElementsString } = await stage.analyze();
  const found = highlightedElements.find((one) => {
    const named = nameOf(one);
    return typeof element === "string" ? named === element : element.test(`${one.selector} ${named}`);
  });
  if (!found) throw new Error(`There is no ${element} in\n${clickableElementsString}`);
  const outcome = await stage.act(name, { index: found.highlight_index, ...params });
  expect(outcome).toMatchObject({ success: true });
  return outcome.data;
}

const chosen = (id: string): Promise<unknown> =>
  stage.run(`[...document.getElementById("${id}").selectedOptions].map(({ value }) => value).join()`);
const did = (): Promise<unknown> => stage.run("did.join()");

describe.each([
  [
    "tom-select",
    libraries.tomSelect,
    `new TomSelect("#one"); new TomSelect("#many", { plugins: ["remove_button"] })`,
  ],
  ["choices.js", libraries.choices, `new Choices("#one"); new Choices("#many", { removeItemButton: true })`],
  [
    "slim-select",
    libraries.slimSelect,
    `new SlimSelect({ select: "#one" }); new SlimSelect({ select: "#many" })`,
  ],
] as const)("the widget %s", (_, library, script) => {
  test("returns the options of its list, and accepts a choice through each of its elements", async () => {
    await show(library, `${SELECTS}<script>${script}</script>`);
    const { highlightedElements } = await stage.analyze();
    const between = highlightedElements.findIndex((one) => nameOf(one) === "Cities");
    expect(between).toBeGreaterThan(0);
    for (const [at, { tagName, role, selector }] of highlightedElements.slice(0, between).entries()) {
      // A field consists of several elements. Only its label, its combobox and its select can open the list, so the
      // others are skipped.
      if (role !== "combobox" && tagName !== "label" && tagName !== "select") continue;
      // The element is searched again, because choosing an option may have changed the element's text.
      const now = (await stage.analyze()).highlightedElements.find((one) => one.selector === selector);
      const index = now?.highlight_index;
      const reported = await stage.act("dropdown_options", { index });
      expect([tagName, reported.data.options]).toEqual([tagName, CITIES]);
      const city = at % 2 === 0 ? "Linz" : "Vienna";
      expect(await stage.act("select_dropdown", { index, text: city })).toMatchObject({ success: true });
      expect(await chosen("one")).toBe(city.toLowerCase());
    }
  }, 60_000);

  test("accepts several choices in its list, and keeps the earlier ones", async () => {
    await show(library, `${SELECTS}<script>${script}</script>`);
    await act("select_dropdown", "Cities", { text: ["Graz", "Vienna"] });
    expect(await chosen("many")).toBe("graz,vienna");
    await act("select_dropdown", "Cities", { text: ["Vienna", "Wels"] });
    expect(await chosen("many")).toBe("graz,vienna,wels");
  }, 60_000);
});

test("in vanillajs-datepicker, a date of another year can be picked", async () => {
  await show(
    libraries.datepicker,
    `<label for="d">Day</label><input id="d"><script>new Datepicker(d, { format: "yyyy-mm-dd" })</script>`,
  );
  await act("pick_date", "Day", { date: "2031-02-14" });
  expect(await stage.run("d.value")).toBe("2031-02-14");
}, 60_000);

test("in Quill, text can be written and made bold", async () => {
  await show(
    libraries.quill,
    `<div id="e"></div><script>var quill = new Quill("#e", { theme: "snow" })</script>`,
  );
  await act("input", /#e > div/, { text: "Hello world" });
  expect(await stage.run("quill.getText()")).toBe("Hello world\n");
  await act("select_all", /#e > div/);
  await act("click", "bold");
  expect(await stage.run("quill.getFormat(0, 5).bold")).toBe(true);
  // "Normal" is not in the HTML. A style sheet adds it to the menu as generated content.
  await act("click", /Normal$/);
});

test("in CoreUI, a session operates menus, tabs, switches, panels, and dialogs that fade in", async () => {
  const entry = (name: string): string =>
    `<li><a class="dropdown-item" href="#" onclick="did.push('${name}')">${name}</a></li>`;
  const tab = (id: string): string =>
    `<li><button class="nav-link" data-coreui-toggle="tab" data-coreui-target="#${id}">Tab ${id}</button></li>`;
  const pane = (id: string): string =>
    `<div class="tab-pane" id="${id}"><button onclick="did.push('${id}')">In ${id}</button></div>`;
  await show(
    libraries.coreui,
    `<div class="dropdown"><button class="btn dropdown-toggle" data-coreui-toggle="dropdown">Menu</button>
      <ul class="dropdown-menu">${entry("first")}${entry("second")}</ul></div>
    <ul class="nav nav-tabs">${tab("a")}${tab("b")}</ul><div class="tab-content">${pane("a")}${pane("b")}</div>
    <button data-coreui-toggle="modal" data-coreui-target="#m">Open</button>
    <div class="modal fade" id="m" tabindex="-1"><div class="modal-dialog"><div class="modal-content">
      <input id="name" aria-label="Name"><button data-coreui-dismiss="modal" onclick="did.push(document.getElementById('name').value)">Done</button>
    </div></div></div>
    <label class="form-check form-switch"><input class="form-check-input" type="checkbox" id="switch"> Switch</label>
    <button data-coreui-toggle="collapse" data-coreui-target="#c">More</button><div class="collapse" id="c"><button onclick="did.push('in')">Inside</button></div>`,
  );
  await act("click", "Menu");
  await act("click", "second");
  await act("select_dropdown", "Menu", { text: "first" });
  await act("click", "Tab b");
  await act("click", "In b");
  await act("click", "Open");
  await act("input", "Name", { text: "Ada" });
  await act("click", "Done");
  await act("click", "Switch");
  await act("click", "More");
  await act("click", "Inside");
  expect(await did()).toBe("second,first,b,Ada,in");
  expect(await stage.run(`document.getElementById("switch").checked`)).toBe(true);
}, 60_000);

test("in Material's components, a session operates fields, lists, menus, tabs and dialogs in shadow roots", async () => {
  const options = CITIES.map(
    (city) => `<md-select-option value="${city}"><div slot="headline">${city}</div></md-select-option>`,
  );
  await show(
    libraries.material,
    `<md-filled-text-field label="Name" id="name"></md-filled-text-field>
    <md-outlined-select label="City" id="city">${options.join("")}</md-outlined-select>
    <md-checkbox aria-label="Agree" id="agree"></md-checkbox>
    <md-tabs id="tabs"><md-primary-tab>Mail</md-primary-tab><md-primary-tab>News</md-primary-tab></md-tabs>
    <span style="position:relative"><md-filled-button id="opener" onclick="menu.open = !menu.open">Menu</md-filled-button>
      <md-menu id="menu" anchor="opener"><md-menu-item onclick="did.push('pear')"><div slot="headline">Pear</div></md-menu-item></md-menu></span>
    <md-filled-button onclick="dialog.show()">Open</md-filled-button>
    <md-dialog id="dialog"><form slot="content" id="form" method="dialog">Sure?</form>
      <div slot="actions"><md-text-button form="form" value="ok" onclick="did.push('ok')">Yes</md-text-button></div></md-dialog>`,
  );
  await act("input", "Name", { text: "Ada" });
  expect((await act("dropdown_options", /City/)).options).toEqual(CITIES);
  await act("select_dropdown", /City/, { text: "Linz" });
  await act("click", "Agree");
  await act("click", "News");
  await act("click", "Menu");
  await act("click", "Pear");
  await act("click", "Open");
  await act("click", "Yes");
  expect(await did()).toBe("pear,ok");
  expect(
    await stage.run(
      `[document.getElementById("name").value, city.value, agree.checked, tabs.activeTabIndex].join()`,
    ),
  ).toBe("Ada,Linz,true,1");
}, 60_000);

test("in jQuery UI, a session operates lists, suggestions, dates, dialogs, menus and panels, sorts and drags", async () => {
  await show(
    libraries.jqueryUi,
    `<label for="day">Day</label><input id="day"><label for="one">City</label><select id="one">${OPTIONS}</select>
    <label for="fruit">Fruit</label><input id="fruit"><button id="open">Open</button><div id="dialog" title="Ask">Sure?</div>
    <div id="panels"><h3>Part 1</h3><div>Text</div><h3>Part 2</h3><div><button onclick="did.push('panel')">In part 2</button></div></div>
    <ul id="sorted"><li>one</li><li>two</li><li>three</li></ul>
    <div id="drag" style="width:60px;height:30px;background:#ccc">Drag</div><div id="drop" style="width:120px;height:80px;background:#eee">Here</div>
    <script>$("#day").datepicker({ dateFormat: "yy-mm-dd" }); $("#one").selectmenu();
      $("#fruit").autocomplete({ source: ["Apple", "Apricot", "Pear"], select: (_, { item }) => did.push(item.value) });
      $("#dialog").dialog({ autoOpen: false, modal: true, buttons: { Ok() { did.push("ok"); $(this).dialog("close"); } } });
      $("#open").on("click", () => $("#dialog").dialog("open")); $("#panels").accordion(); $("#sorted").sortable();
      $("#drag").draggable(); $("#drop").droppable({ drop: () => did.push("dropped") });</script>`,
  );
  await act("pick_date", "Day", { date: "2027-03-05" });
  await act("select_dropdown", "City", { text: "Vienna" });
  await act("select_dropdown", "Fruit", { text: "Apricot" });
  await act("click", "Open");
  await act("click", "Ok");
  await act("click", "Part 2");
  await act("click", "In part 2");
  const drags = [
    { selector: "#sorted li:first-child", to_selector: "#sorted li:last-child", position: "after" },
    { selector: "#drag", to_selector: "#drop" },
  ];
  for (const drag of drags) expect(await stage.act("drag_drop", drag)).toMatchObject({ success: true });
  expect(await did()).toBe("Apricot,ok,panel,dropped");
  expect(await chosen("one")).toBe("vienna");
  expect(await stage.run(`[day.value, ...[...sorted.children].map((one) => one.textContent)].join()`)).toBe(
    "2027-03-05,two,three,one",
  );
}, 60_000);

test("in Fluent's components, a session operates fields that are named by slots, lists, tabs, menus and choices", async () => {
  const options = CITIES.map((city) => `<fluent-option value="${city}">${city}</fluent-option>`).join("");
  await show(
    libraries.fluent,
    `<fluent-text-field id="name">Name</fluent-text-field><fluent-select id="city">${options}</fluent-select>
    <fluent-combobox id="fruit" placeholder="Fruit"><fluent-option>Apple</fluent-option><fluent-option>Pear</fluent-option></fluent-combobox>
    <fluent-checkbox id="agree">Agree</fluent-checkbox>
    <fluent-tabs id="tabs"><fluent-tab id="mail">Mail</fluent-tab><fluent-tab id="news">News</fluent-tab>
      <fluent-tab-panel>Mails</fluent-tab-panel><fluent-tab-panel>All news</fluent-tab-panel></fluent-tabs>
    <fluent-menu><fluent-menu-item onclick="did.push('paste')">Paste</fluent-menu-item></fluent-menu>
    <fluent-radio-group id="size"><fluent-radio value="s">Small</fluent-radio><fluent-radio value="l">Large</fluent-radio></fluent-radio-group>`,
  );
  await act("input", "Name", { text: "Ada" });
  await act("select_dropdown", /Graz$/, { text: "Linz" });
  await act("select_dropdown", "Fruit", { text: "Pear" });
  for (const name of ["Agree", "News", "Paste", "Large"]) await act("click", name);
  expect(await did()).toBe("paste");
  expect(
    await stage.run(
      `[document.getElementById("name").value, city.value, fruit.value, agree.checked, tabs.activeid, size.value].join()`,
    ),
  ).toBe("Ada,Linz,Pear,true,news,l");
}, 60_000);
