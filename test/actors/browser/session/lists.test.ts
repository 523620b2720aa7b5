/** Lists that scripts make, in a real Chromium: opened by a click, filled later, searched, scrolled. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { called, type SessionStage, sessionStage } from "./stage.ts";

let stage: SessionStage;
beforeAll(async () => {
  stage = await sessionStage();
});
afterAll(() => stage.close());

async function actOn(name: string, element: string, params: Readonly<Record<string, unknown>> = {}) {
  const data = await stage.analyze();
  return await stage.act(name, { index: called(data, element).highlight_index, ...params });
}

const CITIES = ["Graz", "Linz", "Vienna", "Wels"];

/** A button that opens a list with roles. */
const LISTBOX = `<button id="b" aria-haspopup="listbox" aria-controls="l" aria-expanded="false" onclick="l.hidden = !l.hidden">City</button>
  <ul id="l" role="listbox" hidden>${CITIES.map((city) => `<li role="option" data-value="${city.toLowerCase()}">${city}</li>`).join("")}<li role="option" aria-disabled="true">Mars</li></ul>
  <script>l.onclick = ({ target }) => { for (const one of l.children) one.ariaSelected = String(one === target); b.textContent = target.textContent; l.hidden = true; did.push(target.dataset.value); }</script>`;

test("a list with roles is opened, its options told, and one of them chosen by text or value", async () => {
  await stage.show(LISTBOX);
  expect((await actOn("dropdown_options", "City")).data).toEqual({
    options: [...CITIES, "Mars"],
    complete: true,
  });
  expect(await stage.run("l.hidden")).toBe(true);
  expect((await actOn("select_dropdown", "City", { text: "vienna" })).data).toMatchObject({
    selected: ["Vienna"],
  });
  expect((await actOn("select_dropdown", "Vienna", { value: "wels" })).data).toMatchObject({
    selected: ["Wels"],
  });
  expect(await stage.run("did.join()")).toBe("vienna,wels");
  expect((await actOn("select_dropdown", "Wels", { text: "Mars" })).data).toMatchObject({
    code: "element_disabled",
  });
});

test("an option that is not there is told with those that are, and nothing is chosen", async () => {
  await stage.show(LISTBOX);
  const none = await actOn("select_dropdown", "City", { text: "Paris" });
  expect(none.data).toMatchObject({ code: "invalid_params", options: expect.arrayContaining(CITIES) });
  expect(await stage.run("did.join()")).toBe("");
}, 30_000);

test("a list without any role is known as what came into sight", async () => {
  await stage.show(`<div id="s" tabindex="0" role="button">Choose</div><nav><ul><li>Home</li><li>Shop</li><li>About</li></ul></nav>
    <div id="m" style="display:none">${CITIES.map((city) => `<div class="item">${city}</div>`).join("")}</div>
    <script>s.onclick = () => { m.style.display = "block" }; m.onclick = ({ target }) => { s.textContent = target.textContent; m.style.display = "none" }</script>`);
  expect((await actOn("select_dropdown", "Choose", { text: "Linz" })).data).toMatchObject({
    selected: ["Linz"],
  });
  expect(await stage.run("s.textContent")).toBe("Linz");
});

test("a combobox whose options come late, after what is typed, is searched", async () => {
  await stage.show(`<input id="c" role="combobox" aria-label="Country" aria-expanded="false" aria-controls="o"><div id="o" role="listbox"></div>
    <script>const all = ["Austria", "Australia", "Belgium"]; let timer;
    c.oninput = () => { clearTimeout(timer); timer = setTimeout(() => {
      o.innerHTML = all.filter((one) => c.value && one.toLowerCase().startsWith(c.value.toLowerCase())).map((one) => '<div role="option">' + one + '</div>').join("") }, 400) };
    c.onfocus = () => { o.innerHTML = '<div role="option">Most used</div>' };
    o.onmousedown = ({ target }) => { c.value = target.textContent; o.innerHTML = ""; did.push(c.value) }</script>`);
  expect((await actOn("select_dropdown", "Country", { text: "Australia" })).data).toMatchObject({
    selected: ["Australia"],
  });
  expect(await stage.run("did.join() + c.value")).toBe("AustraliaAustralia");
}, 30_000);

test("a list that holds only what is seen of it is scrolled", async () => {
  await stage.show(`<button id="b" aria-haspopup="listbox">Pick</button><div id="l" role="listbox" style="display:none;height:120px;overflow:auto;position:relative"><div style="height:6000px"></div></div>
    <script>const draw = () => { for (const one of l.querySelectorAll("[role=option]")) one.remove();
      const first = Math.floor(l.scrollTop / 30);
      for (let at = first; at < Math.min(200, first + 5); at++) l.insertAdjacentHTML("beforeend", '<div role="option" style="position:absolute;height:30px;top:' + at * 30 + 'px">Row ' + at + '</div>') };
    l.onscroll = draw; b.onclick = () => { l.style.display = l.style.display === "none" ? "block" : "none"; draw() };
    l.onclick = ({ target }) => { b.textContent = target.textContent; l.style.display = "none" }</script>`);
  const { data } = await actOn("dropdown_options", "Pick");
  expect(data).toMatchObject({ complete: true });
  expect((data.options as string[]).length).toBeGreaterThan(190);
  expect((await actOn("select_dropdown", "Pick", { text: "Row 137" })).data).toMatchObject({
    selected: ["Row 137"],
  });
  expect(await stage.run("b.textContent")).toBe("Row 137");
}, 60_000);

test("several options are chosen in a list that stays open, and those that are chosen stay so", async () => {
  await stage.show(
    `<div id="l" role="listbox" aria-multiselectable="true" aria-label="Tags" tabindex="0">${CITIES.map(
      (city) => `<div role="option" aria-selected="${city === "Linz"}">${city}</div>`,
    ).join(
      "",
    )}</div><script>l.onclick = ({ target }) => { target.ariaSelected = String(target.ariaSelected !== "true") }</script>`,
  );
  // An option stands for its list.
  const chosen = await actOn("select_dropdown", "Wels", { text: ["Graz", "Linz"] });
  expect(chosen.data).toMatchObject({ selected: ["Graz", "Linz"] });
  expect(
    await stage.run(`[...l.querySelectorAll("[aria-selected=true]")].map((one) => one.textContent).join()`),
  ).toBe("Graz,Linz");
});

test("what opens no list, or takes no choice, is told", async () => {
  await stage.show(`<button>Plain</button>${LISTBOX.replace("l.onclick = ", "l.ignored = ")}`);
  expect((await actOn("select_dropdown", "Plain", { text: "x" })).data).toMatchObject({
    code: "invalid_params",
  });
  expect((await actOn("select_dropdown", "City", { text: "Graz" })).data).toMatchObject({
    code: "not_applied",
  });
}, 30_000);
