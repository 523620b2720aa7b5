/** Tests elements in containers that scroll inside the page, and components with slotted content. */
import { expect, test } from "bun:test";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called, names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

/** A page that does not scroll itself. Its element `main` scrolls instead. */
const SHELL = `<style>html, body { margin: 0; height: 100%; overflow: hidden } main { height: 300px; width: 400px; overflow: auto }
    p { height: 200px; margin: 0 } .chat { height: 60px; overflow: auto; display: flex; flex-direction: column-reverse }
    .chat p { flex: none; height: 40px } .wide { width: 100px; overflow: auto; direction: rtl; white-space: nowrap }</style>
  <main><p><label>First <input id="first"></label></p><p>x</p><p>x</p><p>x</p><p><label>Phone <input></label></p></main>
  <div class="chat"><p><button>Newest</button></p><p><button>Older</button></p><p><button onclick="did.push('oldest')">Oldest</button></p></div>
  <div class="wide"><button>One of many</button><button>Two of many</button><button>Three of many</button></div>
  <div style="position: absolute; top: 0; right: 0; height: 30px; overflow: hidden" id="slides"><p style="height: 60px"><a href="/s">Slide</a></p></div>
  <button style="position: absolute; top: -50px; left: 0">Away</button><script>slides.scrollTop = 28</script>`;

test("elements that are scrolled out at the top of a container are listed and can be clicked, like those at its bottom", async () => {
  const before = await stage.show(SHELL);
  const all = [
    "First",
    "Phone",
    "Newest",
    "Older",
    "Oldest",
    "One of many",
    "Two of many",
    "Three of many",
    "Slide",
  ];
  expect(names(before)).toEqual(all);
  const typed = await stage.act("type", { index: called(before, "Phone").highlight_index, text: "1" });
  expect(typed).toMatchObject({ success: true });
  const after = await stage.analyze();
  expect(names(after)).toEqual(all);
  expect(called(after, "First")).toMatchObject({ in_viewport: false });
  expect(
    await stage.act("type", { index: called(after, "First").highlight_index, text: "Ann" }),
  ).toMatchObject({ success: true });
  expect(await stage.run("first.value")).toBe("Ann");
  expect(await stage.act("click", { index: called(after, "Oldest").highlight_index })).toMatchObject({
    success: true,
  });
  expect(await stage.run("did.join()")).toBe("oldest");
  const { left_out: left } = await stage.analyze({ include_left_out: true });
  expect(left?.elements).toMatchObject([{ text: "Away", reason: "out_of_reach" }]);
});

test("an element that is scrolled out of its container is listed as outside of the viewport and not as covered", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `<button>Row ${at}</button>`).join("");
  const data = await stage.show(
    `<div style="height: 95px; overflow: auto" id="box">${rows}<button style="position: fixed; top: 300px; left: 400px">Apart</button></div>
     <div style="position: relative"><button>Under</button><div id="over" style="position: absolute; inset: 0"></div></div>
     <div style="height: 0; overflow: auto"><button>Shut</button></div>`,
    `<style>#box button { display: block; height: 30px }</style>`,
  );
  expect(data.clickableElementsString.match(/.*covered.*/g)).toHaveLength(2);
  expect(data.clickableElementsString).toContain("<button covered>Under</button>");
  expect(data.clickableElementsString).toContain("<button covered>Shut</button>");
  await stage.run("box.scrollTop = 25 + 60");
  // The list is scrolled so that only a narrow part of the last row, "Row 5", is visible. It must be listed,
  // although most hit tests miss this part.
  const seen = await stage.analyze({ viewport_only: true });
  expect(names(seen)).toEqual(["Row 2", "Row 3", "Row 4", "Row 5", "Apart", "Under", "Shut"]);
  expect(seen.clickableElementsString.match(/.*covered.*/g)).toHaveLength(2);
});

test.if(isFull)(
  "an element in a frame that is partly scrolled out, or under a fixed header, is scrolled into view",
  async () => {
    const pages = [
      `<main style="height: 300px; overflow: auto">CONTENT</main>`,
      `<header style="position: fixed; inset: 0 0 auto; height: 150px; background: white">Head</header><div style="padding-top: 160px">CONTENT</div>`,
    ];
    for (const page of pages) {
      const data = await stage.show(
        page.replace(
          "CONTENT",
          `<iframe title="Editor" style="height: 250px" srcdoc="<body contenteditable aria-label=Notes style='height: 40px'></body>"></iframe>
         <div style="height: 2000px"><input id="after" aria-label="After"></div>`,
        ),
      );
      // This scrolls the page so that the lower part of the frame is visible, but not the editor at the top of the
      // frame.
      await stage.run(`(document.querySelector("main") ?? document.scrollingElement).scrollTop = 120`);
      const notes = called(data, "Notes").highlight_index;
      expect(await stage.act("type", { index: notes, text: "Hello" })).toMatchObject({ success: true });
      expect(await stage.run(`document.querySelector("iframe").contentDocument.body.innerText`)).toBe(
        "Hello",
      );
    }
  },
  30_000,
);

test("a click on slotted text hits the element in the shadow root that shows the text", async () => {
  const data =
    await stage.show(`<x-button>Buy</x-button><y-button>Leave</y-button><z-card>Words<i></i></z-card>
    <script>const made = (name, mode, html) => customElements.define(name, class extends HTMLElement {
      constructor() { super(); const root = this.attachShadow({ mode }); root.innerHTML = html;
        root.querySelector("button").onclick = () => did.push(name); } });
      made("x-button", "open", "<button style='padding: 0'><slot></slot></button>");
      made("y-button", "closed", "<button style='padding: 0'><slot></slot></button>");
      made("z-card", "open", "<div style='position: relative; width: 60px'><button style='position: absolute; inset: 0' aria-label='Behind'></button>" +
        "<div style='position: relative; font: 40px monospace; overflow: hidden; height: 30px'><slot></slot></div></div>");</script>`);
  expect(data.clickableElementsString).toContain("<button covered>Behind</button>");
  for (const name of ["Buy", "Leave"]) {
    const clicked = await stage.act("click", { index: called(data, name).highlight_index });
    expect(clicked).toMatchObject({ success: true });
  }
  expect(await stage.run("did.join()")).toBe("x-button,y-button");
});

test("the text of a page includes text that is scrolled out of a container, but not text that scrolling cannot reach", async () => {
  await stage.show(
    `<ul><li><a href="/media">Media</a><ul class="away"><li><a href="/library">Library</a></li><li><a href="/new">New</a></li></ul></li></ul>
     <p>Hello <span class="aside"><a href="/edit">Edit</a> | <a href="/bin">Bin</a></span> | <a href="/x">There</a></p>
     <div style="height: 50px; overflow: auto" id="box"><div style="height: 90px"><b>First</b></div><div style="height: 90px">Last</div></div>`,
    `<style>.away { position: absolute; top: -1000em } .aside { position: absolute; left: -9999em }</style>`,
  );
  await stage.run("box.scrollTop = 130; scrollTo(0, 0)");
  const { text_content: text } = await stage.analyze({ include_text: true });
  expect(text?.split("\n")).toEqual(["Hello", "|", "First", "Last"]);
});

test("a link in an inline box with clipped overflow is listed as covered, because such a box has no height of its own", async () => {
  const data = await stage.show(
    `<p style="margin-top: 99px"><span style="overflow: hidden"><a href="#rooms">Rooms</a></span></p>
     <div style="position: fixed; inset: 0; background: white"><button>Close</button></div>`,
  );
  expect(data.clickableElementsString).toContain("<a covered>Rooms</a>");
});
