/** Tests the names of elements that show an icon instead of text, on pages that are built like those of component libraries. */
import { expect, test } from "bun:test";
import { nameOf } from "../../../../machines/session/page/element-line.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests({ evaluate: false });

const lines = async (body: string, head = ""): Promise<string> =>
  (await stage.show(body, head)).clickableElementsString;

test("icon-font characters are not part of an element's name, unless it has no other name", async () => {
  const listed = await lines(
    `<button><i class="m" aria-hidden="true">save</i> Save order</button><button><i class="m">delete</i></button>
     <button><i class="m">home</i>Start</button><button aria-label="Main menu"><i class="m">menu</i></button>
     <button><i>\ue001</i>Bell</button><button>open</button>`,
    `<style>.m { font-family: "Some Icons" }</style>`,
  );
  for (const name of ["Save order", "delete", "Start", "Main menu", "Bell", "open"])
    expect(listed).toContain(`<button>${name}</button>`);
});

test("words in a font that has a symbol font as its fallback are not taken for icons", async () => {
  await stage.show(
    `<table><tr><th>State</th><td>failed</td></tr></table><a href="/x">Go <i>back</i></a><button style="font-family: 'Segoe UI Symbol'">open</button>
     <button><i class="m">delete</i></button>`,
    `<style>body { font-family: system-ui, "Segoe UI", sans-serif, "Segoe UI Symbol", "Noto Sans Symbols" } .m { font-family: "Material Symbols Outlined", sans-serif }</style>`,
  );
  const data = await stage.analyze({ include_text: true });
  expect(data.text_content).toBe("State\nfailed");
  expect(names(data)).toEqual(["Go back", "open", "delete"]);
});

test("an icon without text is named by its class, symbol or file name, for every notation of icons", async () => {
  const glyph = `content: "\\e5cd"`;
  const data = await stage.show(
    `<button><i class="mdi mdi-chevron-up"></i></button>
     <button class="btn btn-primary"><i class="fa-solid fa-trash fa-fw"></i></button>
     <button><svg width="20" height="20"><use href="/sprites.svg#icon-settings"></use></svg></button>
     <button><svg class="lucide lucide-trash-2" width="20" height="20"></svg></button>
     <button><svg data-testid="DeleteOutlineIcon" width="20" height="20"></svg></button>
     <button><my-icon name="arrow-left" style="display: inline-block; width: 20px; height: 20px"></my-icon></button>
     <button><span class="ri-close-line font"></span></button>
     <button><img src="/assets/pencil_edit.svg" width="20" height="20"></button>
     <button data-tooltip="Print the list"><i class="bi bi-printer"></i></button>
     <button class="btn btn-danger" style="width: 20px; height: 20px"></button>
     <button aria-label="Shut"><i class="bi bi-x"></i></button>
     <button><i class="pi pi-plus">\ue90d</i></button>
     <button class="p-button p-button-icon-only"><span class="p-button-icon pi pi-pencil font"></span></button>
     <button class="q-btn"><i class="q-icon mdi mdi-archive" aria-hidden="true" role="img"></i></button>
     <button><i class="var-icon var-icon--set var-icon-heart-outline"></i></button>
     <button><i class="ivu-icon ivu-icon-md-add"></i></button>
     <button><my-icon icon="md-menu" style="display: inline-block; width: 20px; height: 20px"></my-icon></button>
     <button><i class="ivu-icon ivu-icon-ios-search"></i></button>
     <button><img src="/assets/signal-logo-CyD4qrZT.svg" width="20" height="20"></button>
     <button><img src="/static/arrow-down.5d5d9eef.svg" width="20" height="20"></button>
     <button><img src="/static/back-circle24.svg" width="20" height="20"></button>`,
    `<style>.font::before { ${glyph} }</style>`,
  );
  const listed = data.highlightedElements.map((element) => element.icon ?? nameOf(element));
  expect(listed).toEqual([
    "chevron up",
    "trash",
    "settings",
    "trash 2",
    "delete outline",
    "arrow left",
    "close line",
    "pencil edit",
    "Print the list",
    "",
    "Shut",
    "plus",
    "pencil",
    "archive",
    "heart outline",
    "add",
    "menu",
    "search",
    "signal logo",
    "arrow down",
    "back circle24",
  ]);
  expect(data.clickableElementsString).toContain('<button icon="chevron up"></button>');
  expect((await stage.analyze({ query: "settings" })).highlightedElements).toHaveLength(1);
});

test("an icon beside a counter is reported, and its name does not contain the class prefix (flaticon-)", async () => {
  const data = await stage.show(
    `<a href="/news"><i class="fa fa-bell-o"></i><span>10</span></a>
     <a href="/more"><i class="fa fa-cog"></i><span>Settings</span></a>
     <a href="/2">2</a>
     <button><i class="flaticon-delete-1"></i></button>
     <button><i class="flaticon2-refresh"></i></button>`,
  );
  const listed = data.highlightedElements.map((element) => [element.icon ?? "", nameOf(element)]);
  expect(listed).toEqual([
    ["bell o", "10"],
    ["", "Settings"],
    ["", "2"],
    ["delete 1", ""],
    ["refresh", ""],
  ]);
  expect(data.clickableElementsString).toContain('<a icon="bell o">10</a>');
});

test("an icon in the slot of a component names the control in the component's shadow root", async () => {
  const button = (icon: string) =>
    `<x-action><template shadowrootmode="open"><button><span><slot></slot></span></button></template>${icon}</x-action>`;
  const data = await stage.show(
    `${button('<i class="mdi mdi-bell-outline"></i>')}${button('<my-icon name="gear" style="display: inline-block; width: 20px; height: 20px"></my-icon>')}`,
  );
  expect(data.highlightedElements.map(({ icon }) => icon)).toEqual(["bell outline", "gear"]);
});

test("an icon button without a name is named by its class (ql-bold) if it has only this class, and the buttons beside it have other classes", async () => {
  const svg = `<svg width="16" height="16"></svg>`;
  const data = await stage.show(
    `<div><button class="ql-bold">${svg}</button><button class="ql-italic">${svg}</button></div>
     <div><button class="owl-prev">${svg}</button><button class="owl-next">${svg}</button></div>
     <div><button class="text-white">${svg}</button><button class="text-white">${svg}</button></div>
     <div><button class="btn btn-danger">${svg}</button><button class="btn btn-info">${svg}</button></div>`,
  );
  const listed = data.highlightedElements.map(({ icon }) => icon ?? "");
  expect(listed).toEqual(["bold", "italic", "prev", "next", "", "", "", ""]);
});

test("the only button inside a component gets the icon that the component declares", async () => {
  await stage.show(
    `<x-button icon="play_arrow"></x-button><x-bar icon="star"></x-bar>
     <script>
       const define = (name, content) => customElements.define(name, class extends HTMLElement {
         connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = content; }
       });
       define("x-button", "<button style='width: 40px; height: 40px'></button><slot></slot>");
       define("x-bar", "<button>One</button><button style='width: 40px; height: 40px'></button>");
     </script>`,
  );
  const { highlightedElements } = await stage.analyze({});
  expect(highlightedElements.map(({ icon, textContent }) => icon ?? textContent ?? "")).toEqual([
    ...["play arrow", "One", ""],
  ]);
});

test("a label that contains only an icon names its radio button by `aria-label`", async () => {
  const data = await stage.show(
    `<label aria-label="Comfortable density"><input type="radio" value="comfortable"><svg width="24" height="24"></svg></label>
     <input type="radio" id="dense" value="dense"><label for="dense" aria-label="Dense rows"><i class="icon-rows"></i></label>`,
  );
  expect(names(data)).toEqual(["Comfortable density", "Dense rows"]);
});

test("a tooltip attribute that contains an id does not name its element, which is named by its icon", async () => {
  const { clickableElementsString } = await stage.show(
    `<button data-tooltip="QXXNiBziThdXboU-EBACR"><i data-icon="check"></i></button>
     <button data-tip="0b2f7a8e-2f0c-4f6e-9d0e-5b1d7f3f1c11"><i data-icon="search"></i></button>
     <button data-tooltip="Save and stay"><i data-icon="check"></i></button>`,
  );
  expect(clickableElementsString).toContain(`<button icon="check"></button>`);
  expect(clickableElementsString).toContain(`<button icon="search"></button>`);
  expect(clickableElementsString).toContain("Save and stay");
  expect(clickableElementsString).not.toContain("QXXN");
});

test("an icon is named by the attribute of its component, as in Clarity and Angular Material", async () => {
  const { clickableElementsString } = await stage.show(
    `<button><clr-icon shape="two-way-arrows left"></clr-icon></button>
     <button><mat-icon svgicon="trash"></mat-icon></button>`,
  );
  expect(clickableElementsString).toContain('icon="two way arrows left"');
  expect(clickableElementsString).toContain('icon="trash"');
});

test("the name of an icon in an icon font is not part of the name of a control with a label or a tooltip", async () => {
  const { highlightedElements } = await stage.show(
    `<button aria-label="Delete"><i class="m">delete_outline</i></button><button title="More"><i class="m">more_vert</i></button>
     <a href="#p" title="Profile"><span class="material-icons m">person</span>Ada</a><button><i class="m">close</i></button>
     <button aria-label="Save the file"><span>save</span></button>`,
    `<style>.m { font-family: "Material Icons" }</style>`,
  );
  expect(highlightedElements.map((one) => nameOf(one))).toEqual([
    "Delete",
    "More",
    "Ada",
    "close",
    "Save the file",
  ]);
});
