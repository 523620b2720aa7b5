/**
 * Tests choosing options in scripted lists, in a real Chromium. The lists are virtualised, belong to an edited table
 * row, load by a search, are empty, or lose their search text.
 */
import { expect } from "bun:test";
import { testInOwnSession } from "../concurrent-tests-in-own-sessions.ts";
import { actionOn } from "../session-in-shared-test-browser.ts";

/**
 * A table row that is being edited. Escape ends the editing and discards the input. The field "Tags" of the
 * row has a list and accepts several values.
 */
const EDITED = `<form><input type="search" aria-label="Search posts"></form>
  <div id="box"><label>Title <input id="title" value="Draft"></label><label>Tags <textarea role="combobox" aria-autocomplete="list" aria-expanded="false" aria-owns="l" id="t">re</textarea></label></div>
  <ul id="l" role="listbox" hidden style="position: absolute; background: white"><li role="option">red</li><li role="option">redwood</li></ul>
  <script>
    const open = (is) => { l.hidden = !is; t.ariaExpanded = String(is); };
    t.onkeydown = ({ key }) => { if (key === "ArrowDown") open(true); if (key === "Escape" && CLOSES) open(false); };
    t.onblur = () => open(false);
    t.oninput = () => open("red".startsWith(t.value.split(/, */).at(-1)) && t.value !== "");
    l.onmousedown = (event) => event.preventDefault();
    l.onclick = ({ target }) => { t.value = [...t.value.split(/, */).slice(0, -1), target.textContent, ""].join(", "); open(false); };
    box.addEventListener("keydown", ({ key }) => { if (key === "Escape") box.textContent = "given up"; });
  </script>`;

testInOwnSession("selecting an option scrolls a virtualised list", async (stage) => {
  await stage.show(`<button id="b" aria-haspopup="listbox">Pick</button><div id="l" role="listbox" style="display:none;height:120px;overflow:auto;position:relative"><div style="height:6000px"></div></div>
    <script>const draw = () => { for (const one of l.querySelectorAll("[role=option]")) one.remove();
      const first = Math.floor(l.scrollTop / 30);
      for (let at = first; at < Math.min(200, first + 5); at++) l.insertAdjacentHTML("beforeend", '<div role="option" style="position:absolute;height:30px;top:' + at * 30 + 'px">Row ' + at + '</div>') };
    l.onscroll = draw; b.onclick = () => { l.style.display = l.style.display === "none" ? "block" : "none"; draw() };
    l.onclick = ({ target }) => { b.textContent = target.textContent; l.style.display = "none" }</script>`);
  const { data } = await actionOn(stage, "dropdown_options", "Pick");
  expect(data).toMatchObject({ complete: true });
  expect((data.options as string[]).length).toBeGreaterThan(190);
  expect((await actionOn(stage, "select_dropdown", "Pick", { text: "Row 137" })).data).toMatchObject({
    selected: ["Row 137"],
  });
  expect(await stage.run("b.textContent")).toBe("Row 137");
});

testInOwnSession(
  "selecting a missing option returns the options that the search for it shows",
  async (stage) => {
    await stage.show(`<input id="c" role="combobox" aria-label="Facet" aria-expanded="false" aria-controls="o"><div id="o" role="listbox"></div>
    <script>c.onfocus = () => { o.innerHTML = '<div>Type to search</div>' };
    c.oninput = () => setTimeout(() => { o.innerHTML = '<div role="option">category Garden</div>' }, 100)</script>`);
    expect((await actionOn(stage, "select_dropdown", "Facet", { text: "Garden" })).data).toMatchObject({
      code: "invalid_params",
      options: ["Type to search", "category Garden"],
    });
  },
);

testInOwnSession(
  "the list of options is not closed by the Escape key if that key would cancel an edit",
  async (stage) => {
    for (const closes of ["true", "false"]) {
      await stage.show(EDITED.replace("CLOSES", closes));
      expect((await actionOn(stage, "dropdown_options", "Tags")).data).toMatchObject({
        options: ["red", "redwood"],
      });
      expect(await stage.run("l.hidden + box.textContent")).toStartWith("trueTitle");
    }
  },
);

testInOwnSession(
  "listing options fails for an empty list, and excludes the text that a closed list shows",
  async (stage) => {
    await stage.show(`<button id="b" aria-haspopup="listbox" aria-controls="l">Empty</button><div id="l" role="listbox" hidden style="height: 40px"></div>
    <div id="s" role="listbox" tabindex="0" style="width: 120px"><div id="c">None</div><div aria-hidden="true"></div></div>
    <table id="m" hidden role="menu"><tr role="presentation"><td role="menuitem">None</td></tr><tr role="presentation"><td role="menuitem">Begins with</td></tr></table>
    <script>b.onclick = () => { l.hidden = !l.hidden; }; s.onclick = () => { m.hidden = !m.hidden; };
      m.onmousedown = ({ target }) => { c.textContent = target.textContent; m.hidden = true; };</script>`);
    expect(await actionOn(stage, "dropdown_options", "Empty")).toMatchObject({ success: false });
    expect((await actionOn(stage, "dropdown_options", "None")).data).toMatchObject({
      options: ["None", "Begins with"],
    });
    expect((await actionOn(stage, "select_dropdown", "None", { text: "Begins with" })).data).toMatchObject({
      selected: ["Begins with"],
    });
    expect(await stage.run("c.textContent")).toBe("Begins with");
  },
);

testInOwnSession(
  "a click on a field without pointer events is refused if its clickable ancestor contains other fields",
  async (stage) => {
    await stage.show(
      `<div onclick="did.push('card')" style="cursor:pointer"><input readonly value="One" style="pointer-events:none"><input value="Two"></div>`,
    );
    const refused = await stage.act("click", { selector: "input[readonly]" });
    expect(refused).toMatchObject({ success: false, data: { code: "element_covered" } });
    expect(await stage.run("did.join()")).toBe("");
  },
);

testInOwnSession(
  "filling in a field for several values accepts values that are in its list and values that are not",
  async (stage) => {
    await stage.show(EDITED.replace("CLOSES", "true"));
    const one = await stage.act("fill_form", { fields: [{ label: "Tags", value: "red" }] });
    expect([one.success, await stage.run("t.value")]).toEqual([true, "red, "]);
    const two = await stage.act("fill_form", { fields: [{ label: "Tags", value: "red, blue" }] });
    expect([two.success, await stage.run("t.value + title.value")]).toEqual([true, "red, blueDraft"]);
  },
);

testInOwnSession(
  "selecting an option fails if the field removes the text of the search because the click hit no option",
  async (stage) => {
    await stage.show(`<input id="c" role="combobox" aria-label="City" aria-expanded="false" aria-controls="o"><div id="o" role="listbox"></div>
    <script>let chosen = "", lost = 1;
    const draw = () => { c.ariaExpanded = "true"; o.innerHTML = '<div role="option">Linz</div>' };
    const close = () => { c.ariaExpanded = "false"; o.innerHTML = ""; c.value = chosen };
    c.oninput = draw; c.onblur = close; c.onkeydown = ({ key }) => { if (key === "Escape") close() };
    o.onmousedown = (event) => { event.preventDefault(); if (lost-- > 0) { o.innerHTML = ""; setTimeout(draw, 100) } };
    o.onclick = ({ target }) => { if (target.role === "option") { chosen = target.textContent; close() } }</script>`);
    expect((await actionOn(stage, "select_dropdown", "City", { text: "Linz" })).data).toMatchObject({
      code: "not_applied",
      value: "",
    });
    expect((await actionOn(stage, "select_dropdown", "City", { text: "Linz" })).data).toMatchObject({
      selected: ["Linz"],
    });
    expect(await stage.run("chosen + c.value")).toBe("LinzLinz");
  },
);
