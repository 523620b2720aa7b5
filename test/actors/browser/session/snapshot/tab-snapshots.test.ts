/** Tests snapshots of pages in a real Chromium. */
import { describe, expect, test } from "bun:test";
import { analysisDataSchema } from "../../../../../machines/session/page/page-snapshot.ts";
import { applyDelta } from "../../../../../machines/session/page/snapshot-delta.ts";
import { tokensOf } from "../../../../../machines/session/page/token-estimate.ts";
import { serveSite } from "../../../../sites/test-site-with-given-routes.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called, names } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests({ flags: ["--site-per-process"] });

const LOGIN = `
  <header><nav><a href="/home?utm=1">Home</a></nav></header>
  <main><h1>Sign in</h1><form id="login" name="entry">
    <label for="user">Username</label><input id="user" name="user" placeholder="Your name" required value="ann">
    <label>Password <input type="password" name="secret" value="hunter2"></label>
    <label><input type="checkbox" name="stay" checked> Stay <i aria-hidden="true">arrow_down</i></label>
    <select name="size" aria-label="Size"><option>Small</option><option selected>Large</option></select>
    <button type="submit" disabled>Go</button>
  </form></main><footer>Imprint</footer>`;

describe("the analysis of a page", () => {
  test("has the specified shape: segments, elements with their fields, and a line for each element", async () => {
    const data = await stage.show(LOGIN);
    expect(analysisDataSchema.parse(data)).toEqual(data);
    expect(data.segments.map(({ type }) => type)).toEqual(["header", "nav", "main", "container", "footer"]);
    expect(data.segments[1]).toMatchObject({
      selector: "html > body > header > nav",
      textContent: "Home",
      depth: 1,
    });
    expect(called(data, "Home")).toMatchObject({ tagName: "a", interactionType: "navigate", type: "a" });
    expect(called(data, "Username")).toMatchObject({
      tagName: "input",
      type: "text",
      interactionType: "input",
      selector: "#user",
      xpath: "/html/body/main/form/input",
      value: "ann",
      placeholder: "Your name",
      required: true,
      formId: "login",
      formName: "entry",
      labelText: "Username",
      associatedLabels: ["Username"],
      attributes: { id: "user", name: "user", placeholder: "Your name", required: "" },
    });
    expect(called(data, "Stay")).toMatchObject({ type: "checkbox", checked: true });
    expect(called(data, "Size")).toMatchObject({
      interactionType: "select",
      options: ["Small", "Large"],
      value: "Large",
    });
    expect(called(data, "Go")).toMatchObject({ interactionType: "submit", disabled: true });
    expect(data.totalElements).toBe(6);
    const lines = data.clickableElementsString.split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^\[\d+\]<a>Home<\/a>$/);
    expect(lines[5]).toMatch(/^\[\d+\]<button type="submit" disabled>Go<\/button>$/);
  });

  test("names a field by its label, without the content of the field inside the label", async () => {
    const data = await stage.show(`
      <label>Show <select><option>10</option><option>25</option></select> entries</label>
      <label>Note <textarea>Written before</textarea></label>`);
    expect(data.highlightedElements.map(({ labelText }) => labelText)).toEqual(["Show entries", "Note"]);
    expect(data.clickableElementsString).toContain(`<select value="10">Show entries (10|25)</select>`);
  });

  test("shows the targets of links only if links with the same name have different targets", async () => {
    const before = await stage.show(
      `<p><a href="/1">View</a></p><p><a href="/3">Help</a></p><p><a href="/2" id="second">View</a></p>`,
    );
    const lines = before.clickableElementsString.replaceAll(/^\[\d+\]/gm, "");
    expect(lines).toBe(`<a href="/1">View</a>\n<a>Help</a>\n<a href="/2">View</a>`);
    await stage.run(`second.remove()`);
    const delta = await stage.analyze({ since_revision: before.revision });
    expect(delta.clickableElementsString).toMatch(/^\[\d+\]<a>View<\/a>$/);
    expect(applyDelta(before, delta)).toEqual(await stage.analyze());
  });

  test.each([
    ["small", 1],
    ["large", 100],
  ])("contains a change that only a style rule has caused, on a %s page", async (_, rows) => {
    const list = `<ul>${"<li><button>Row</button></li>".repeat(rows)}</ul>`;
    const before = await stage.show(
      `<style>#late { display: none }</style>${list}<button id="late">Late</button>`,
    );
    expect(before.clickableElementsString).not.toContain("Late");
    const unchanged = await stage.analyze();
    expect(unchanged.revision).toBe(before.revision);
    await stage.run("document.styleSheets[0].deleteRule(0)");
    const shown = await stage.analyze({ since_revision: before.revision });
    expect(shown.clickableElementsString).toMatch(/^\*\[\d+\]<button>Late<\/button>$/);
    await stage.run("document.styleSheets[0].insertRule('#late { display: none }')");
    const hidden = await stage.analyze({ since_revision: shown.revision });
    expect(hidden.delta?.removed).toHaveLength(1);
  });

  test("never contains a password, even if the page shows it in clear text", async () => {
    const before = await stage.show(LOGIN);
    await stage.run(`document.querySelector("[name=secret]").type = "text"`);
    const after = await stage.analyze({ include_text: true });
    const content = await stage.session.content();
    for (const reported of [before, after, content])
      expect(JSON.stringify(reported)).not.toContain("hunter2");
  });

  test("omits a separator (•) that scrolling cannot reach, unless it separates words of a line", async () => {
    const away = "position: absolute; left: -9999px";
    await stage.show(`
      <p>Call <b>os</b><b>.</b><b>path</b> of <a href="/os">the module</a><i>!</i></p>
      <div style="${away}"><i>•</i></div>
      <div style="${away}"><b>Left</b><i>+</i><b>outside</b></div>`);
    const { text_content } = await stage.analyze({ include_text: true });
    expect(text_content).toBe("Call os.path of\n!\nLeft+outside");
  });

  test("finds elements that scripts and styles make interactive, and leaves out elements that cannot be used", async () => {
    const data = await stage.show(`
      <div id="heard">Heard</div><div id="set">Set</div><div style="cursor:pointer">Pointed <b>at</b></div>
      <div role="switch" aria-checked="true">Switched</div><p contenteditable>Edited</p>
      <ul style="cursor:pointer"><li>First</li><li>Second</li></ul><canvas width="50" height="50" title="Drawn"></canvas>
      <div id="root"><button>Within a listening container</button></div>
      <a>No link</a><input type="hidden"><button style="display:none">None</button>
      <button style="visibility:hidden">Unseen</button><div inert><button>Inert</button></div>
      <a href="/skip" style="position:absolute;left:-9999px">Skip</a><div>Plain</div>
      <script>
        heard.addEventListener("click", () => {});
        set.onclick = () => {};
        root.addEventListener("click", () => {});
      </script>`);
    expect(names(data)).toEqual([
      "Heard",
      "Set",
      "Pointed at",
      "Switched",
      "Edited",
      "First",
      "Second",
      "Drawn",
      "Within a listening container",
    ]);
  });

  test("lists a hidden control that its label operates, and marks it as hidden", async () => {
    const data = await stage.show(`
      <label><input type="checkbox" style="display:none"><span>Fancy</span></label>
      <input id="r" type="radio" style="position:absolute;opacity:0"><label for="r">Round</label>`);
    expect(called(data, "Fancy")).toMatchObject({ hidden: true, checked: false });
    expect(called(data, "Round")).toMatchObject({ hidden: true });
    expect(data.totalElements).toBe(2);
  });

  test("marks covered elements, and lists only a modal dialog while it is open", async () => {
    const data = await stage.show(`
      <div style="position:relative;width:200px"><button>Under</button>
        <div id="over" style="position:absolute;inset:0;background:white"></div></div>
      <button>Free</button><dialog id="modal"><button>Inside</button></dialog>
      <div id="pop" popover><button>Popped</button></div>`);
    expect(called(data, "Under").covered).toBe("div#over");
    expect(called(data, "Free").covered).toBeUndefined();
    await stage.run("pop.showPopover()");
    expect(names(await stage.analyze())).toContain("Popped");
    await stage.run("modal.showModal()");
    expect(names(await stage.analyze())).toEqual(["Inside"]);
  });

  test("includes open, closed and nested closed shadow roots", async () => {
    const data = await stage.show(`
      <my-open></my-open><div id="shut"></div><my-declared><template shadowrootmode="closed"><button>Declared</button></template></my-declared>
      <script>
        customElements.define("my-open", class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<button>Open</button><slot></slot>"; }
        });
        const root = shut.attachShadow({ mode: "closed" });
        root.innerHTML = "<button>Closed</button><div></div>";
        root.lastChild.attachShadow({ mode: "closed" }).innerHTML = "<button>Deeper</button>";
      </script>`);
    expect(names(data)).toEqual(["Open", "Closed", "Deeper", "Declared"]);
    expect(called(data, "Open").selector).toBe("html > body > my-open >>> button");
    expect(["Open", "Closed", "Deeper", "Declared"].map((name) => called(data, name).xpath)).toEqual([
      "/html/body/my-open/#shadow-root/button",
      "/html/body/div/#shadow-root/button",
      "/html/body/div/#shadow-root/div/#shadow-root/button",
      "/html/body/my-declared/#shadow-root/button",
    ]);
  });

  test("includes frames: in the same process, in another process, nested, srcdoc, sandboxed", async () => {
    const other = serveSite(
      {
        "/one": `<button>One</button><iframe src="/two" width="200" height="80"></iframe>`,
        "/two": `<button>Two</button><iframe srcdoc="<button>Three</button>" width="150" height="40"></iframe>`,
      },
      { hostname: "localhost" },
    );
    const data = await stage.show(`<button>Before</button>
      <iframe src="${other.url("/one")}" width="300" height="150" style="border:5px solid"></iframe>
      <iframe sandbox srcdoc="<button>Boxed</button>"></iframe><button>After</button>`);
    expect(names(data)).toEqual(["Before", "One", "Two", "Three", "Boxed", "After"]);
    expect(called(data, "Three").frame).toEqual([
      "html > body > iframe:nth-of-type(1)",
      "html > body > iframe",
      "html > body > iframe",
    ]);
    const [one, two] = [called(data, "One").box, called(data, "Two").box];
    expect(two.x).toBeGreaterThan(one.x);
    for (const name of ["One", "Two", "Three", "Boxed"]) {
      expect((await stage.act("click", { index: called(data, name).highlight_index })).error).toBeNull();
    }
    other.stop();
  });
});

describe("the indices of elements", () => {
  test("stay with their elements and are never reused, and new elements are marked as new", async () => {
    const before = await stage.show(`<button>A</button><button>B</button>`);
    expect(before.highlightedElements.some((element) => element.new)).toBe(false);
    await stage.run(
      `document.body.prepend(Object.assign(document.createElement("button"), { textContent: "C" }))`,
    );
    const after = await stage.analyze();
    expect(names(after)).toEqual(["C", "A", "B"]);
    for (const name of ["A", "B"]) {
      expect(called(after, name).highlight_index).toBe(called(before, name).highlight_index);
    }
    expect(after.highlightedElements.map((element) => element.new === true)).toEqual([true, false, false]);
    expect(after.clickableElementsString).toStartWith("*[");
    const next = await stage.show(`<button>A</button>`);
    const old = new Set(after.highlightedElements.map(({ highlight_index }) => highlight_index));
    expect(old.has(called(next, "A").highlight_index)).toBe(false);
  });
});

describe("an option of the analysis", () => {
  const LONG = `<main>${Array.from({ length: 300 }, (_, at) => `<p><a href="/${at}">Link number ${at}</a></p>`).join("")}</main>
    <aside><button>Aside</button></aside>`;

  test("filters elements, by viewport_only, segment or query", async () => {
    const all = await stage.show(LONG);
    expect(all.totalElements).toBe(301);
    expect(all.scroll.pixels_below).toBeGreaterThan(1_000);
    const seen = await stage.analyze({ viewport_only: true });
    expect(seen.highlightedElements.length).toBeLessThan(60);
    expect(seen.totalElements).toBe(301);
    expect(names(await stage.analyze({ segment: "aside" }))).toEqual(["Aside"]);
    expect(names(await stage.analyze({ segment: 0 }))).toHaveLength(300);
    expect(names(await stage.analyze({ query: "number 217" }))).toEqual(["Link number 217"]);
  });

  test.each([400, 1_000, 3_000, 20_000])(
    "limits the answer to max_tokens %i, and reports the number of omitted elements",
    async (most) => {
      await stage.show(LONG);
      const data = await stage.analyze({ max_tokens: most });
      expect(tokensOf(JSON.stringify(data))).toBeLessThanOrEqual(most);
      const reported = data.clickableElementsString.split("\n").filter((line) => line !== "").length;
      expect(reported + (data.omitted?.elements ?? 0)).toBe(301);
      if (most >= 1_000) expect(reported).toBeGreaterThan(15);
    },
  );

  test("adds the text between elements, with headings marked, if include_text is set", async () => {
    await stage.show(`<h1>Title</h1><p>Some <b>text</b></p><a href="/x">Link</a><p hidden>Secret</p>`);
    const { text_content } = await stage.analyze({ include_text: true });
    expect(text_content).toBe("# Title\nSome text");
  });
});
