/** Tests slow typing, the clipboard, dragging, searching for text and running scripts, in a real Chromium. */
import { describe, expect, test } from "bun:test";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { testInOwnSession } from "./concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import {
  actionOn,
  called,
  names,
  type SessionStage,
  sessionStage,
} from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const did = () => stage.run("did.join()");

describe("typing slowly", () => {
  test("sends a key for each letter and verifies the field's value", async () => {
    await stage.show(`<input aria-label="F" value="old"><textarea aria-label="L"></textarea>
      <script>document.addEventListener("keydown", ({ key }) => did.push(key))</script>`);
    const typed = await actionOn(stage, "type_slowly", "F", { text: "Aé 7\n€", delay_ms: 1 });
    expect(typed.data).toMatchObject({ typed: true, value: "Aé 7€" });
    expect(await did()).toBe("A,é, ,7,€");
    expect((await actionOn(stage, "type_slowly", "L", { text: "a\nb", delay_ms: 1 })).data).toMatchObject({
      value: "a\nb",
    });
    const more = await actionOn(stage, "type_slowly", "F", { text: "x", delay_ms: 1, clear: false });
    expect(more.data).toMatchObject({ value: "Aé 7€x" });
  });

  test("stops if the field is removed", async () => {
    await stage.show(`<input id="a" aria-label="A"><input id="b" aria-label="B">
      <script>a.addEventListener("input", () => a.value.length > 1 && b.focus())</script>`);
    expect((await actionOn(stage, "type_slowly", "A", { text: "secret", delay_ms: 1 })).success).toBe(false);
    expect(await stage.run("b.value")).toBe("");
  });
});

describe("the clipboard of a session", () => {
  test("copies the selection, or else the complete text, of any kind of element, and pastes it elsewhere", async () => {
    await stage.show(`<input aria-label="In" value="hello world"><textarea aria-label="Area">lines</textarea>
      <div contenteditable role="textbox" aria-label="Rich">rich <b>text</b></div><button>Press me</button>
      <input aria-label="To"><input aria-label="Key" type="password" value="hunter2"><input aria-label="No" type="number">
      <script>for (const name of ["copy", "cut", "paste", "input"]) addEventListener(name, () => did.push(name))</script>`);
    expect((await actionOn(stage, "copy", "In")).data).toMatchObject({ copied: true, text: "hello world" });
    expect((await actionOn(stage, "paste", "To")).data).toMatchObject({ pasted: true, value: "hello world" });
    await stage.run(`document.querySelector("input").setSelectionRange(0, 5)`);
    expect((await actionOn(stage, "copy", "In")).data).toMatchObject({ text: "hello", characters: 5 });
    // The cursor is at the end of the field "To", so the pasted text is appended.
    expect((await actionOn(stage, "paste", "To")).data).toMatchObject({ value: "hello worldhello" });
    expect((await actionOn(stage, "copy", "Press me")).data).toMatchObject({ text: "Press me" });
    expect((await actionOn(stage, "cut", "Area")).data).toMatchObject({
      cut: true,
      text: "lines",
      value: "",
    });
    expect((await actionOn(stage, "paste", "Rich")).data).toMatchObject({ value: "rich textlines" });
    expect((await actionOn(stage, "cut", "Rich")).data).toMatchObject({ text: "rich textlines" });
    expect(await stage.run(`document.querySelector("[contenteditable]").innerText.trim()`)).toBe("");
    expect((await actionOn(stage, "copy", "Key")).data).toMatchObject({ code: "not_applied" });
    expect((await actionOn(stage, "paste", "No", { text: "abc" })).data).toMatchObject({
      code: "not_applied",
    });
    expect((await actionOn(stage, "paste", "Key", { text: "s3cret" })).data).not.toMatchObject({
      value: "s3cret",
    });
    expect(await did()).toContain("cut,input");
  });

  test.if(isFull)(
    "is used by the focused element, even in a frame, if the action names no element",
    async () => {
      const inner = `<input id='i' value='framed'><script>i.focus(); i.select()</script>`;
      await stage.show(`<input aria-label="To"><iframe srcdoc="${inner}"></iframe>`);
      await actionOn(stage, "select_all", "To");
      expect((await stage.act("copy")).data).toMatchObject({ code: "not_applied" });
      expect((await stage.act("paste", { text: "typed" })).data).toMatchObject({
        pasted: true,
        value: "typed",
      });
      await stage.run(`frames[0].document.querySelector("input").focus()`);
      expect((await stage.act("select_all")).data).toMatchObject({ selected: true, characters: 6 });
      expect((await stage.act("copy")).data).toMatchObject({ text: "framed" });
      expect((await stage.act("cut")).data).toMatchObject({ text: "framed" });
      expect(await stage.run(`frames[0].document.querySelector("input").value`)).toBe("");
    },
  );

  test("is left to a page with its own handlers for copy and paste, and is refused for read-only fields", async () => {
    await stage.show(`<input aria-label="C" value="x"><input aria-label="P"><input aria-label="Fixed" readonly value="f"><script>
      document.addEventListener("copy", (event) => { event.clipboardData.setData("text/plain", "own"); event.preventDefault(); });
      document.addEventListener("paste", (event) => { did.push(event.clipboardData.getData("text/plain")); event.preventDefault(); });
    </script>`);
    expect((await actionOn(stage, "copy", "C")).data).toMatchObject({ text: "own" });
    expect((await actionOn(stage, "paste", "P")).data).toMatchObject({ pasted: true, by_page: true });
    expect(await did()).toBe("own");
    expect((await actionOn(stage, "cut", "Fixed")).data).toMatchObject({ code: "element_disabled" });
    expect((await actionOn(stage, "paste", "Fixed", { text: "y" })).data).toMatchObject({
      code: "element_disabled",
    });
  });

  test.if(isFull)("is not shared with another session", async () => {
    await stage.show(`<input aria-label="In" value="mine">`);
    await actionOn(stage, "copy", "In");
    const other = await stage.browser.openSession({ viewport: { width: 800, height: 600 } });
    const paste = { name: "paste", params: {} } as const;
    expect((await other.perform(paste, async () => {})).data).toMatchObject({ code: "invalid_params" });
    await other.close();
  });
});

describe("dragging an element", () => {
  const native = `<ul id="list">${["A", "B", "C"].map((name) => `<li draggable="true" id="${name}" tabindex="0">${name}</li>`).join("")}</ul>
    <div id="bin" style="height:80px;border:1px solid">Bin</div><script>
    let dragged;
    list.addEventListener("dragstart", (event) => { dragged = event.target; event.dataTransfer.setData("text/plain", dragged.id); });
    for (const place of [list, bin]) place.addEventListener("dragover", (event) => event.preventDefault());
    list.addEventListener("drop", (event) => { event.target.after(dragged); did.push(event.dataTransfer.getData("text/plain")); });
    bin.addEventListener("drop", (event) => { bin.append(dragged); did.push("bin"); });
    addEventListener("dragend", () => did.push("end"));</script>`;
  const order = () => stage.run(`[...document.querySelectorAll("#list li")].map(({ id }) => id).join("")`);

  test("uses native drag and drop with its data", async () => {
    const data = await stage.show(native);
    const to_index = called(data, "C").highlight_index;
    const dropped = await actionOn(stage, "drag_drop", "A", { to_index });
    expect(dropped.data).toMatchObject({ dropped: true, native: true, effect: "reordered", position: 2 });
    expect(await order()).toBe("BCA");
    const binned = await stage.act("drag_drop", { selector: "#B", to_selector: "#bin" });
    expect(binned.data).toMatchObject({ effect: "reordered" });
    expect(await did()).toContain("A");
    expect(await did()).toContain("bin");
    expect(await order()).toBe("CA");
  });

  test.if(isFull)(
    "moves elements that follow the pointer by script: sliders, cards and sortable lists",
    async () => {
      await stage.show(`<div id="knob" tabindex="0" style="position:absolute;left:20px;top:200px;width:20px;height:20px;background:red"></div>
      <ul id="list" style="margin-top:260px">${["A", "B", "C", "D"].map((name) => `<li id="${name}" style="height:30px">${name}</li>`).join("")}</ul><script>
      let from; knob.addEventListener("pointerdown", (event) => { from = event.clientX - knob.offsetLeft; knob.setPointerCapture(event.pointerId); });
      knob.addEventListener("pointermove", (event) => { if (event.buttons) knob.style.left = Math.min(event.clientX - from, 220) + "px"; });
      let held; list.addEventListener("mousedown", (event) => { held = event.target; });
      addEventListener("mousemove", (event) => {
        if (!held) return;
        const under = document.elementFromPoint(event.clientX, event.clientY);
        if (!under || under === held || under.parentNode !== list) return;
        const { top, height } = under.getBoundingClientRect();
        under[event.clientY > top + height / 2 ? "after" : "before"](held);
      });
      addEventListener("mouseup", () => { held = undefined; });</script>`);
      const slid = await stage.act("drag_drop", { selector: "#knob", by: { x: 100, y: 0 } });
      expect(slid.data).toMatchObject({ effect: "moved", native: false, moved: { x: 100, y: 0 } });
      const down = await stage.act("drag_drop", { selector: "#A", to_selector: "#C", position: "after" });
      expect(down.data).toMatchObject({ effect: "reordered", position: 2 });
      expect(await order()).toBe("BCAD");
      await stage.act("drag_drop", { selector: "#D", to_selector: "#B", position: "before" });
      expect(await order()).toBe("DBCA");
    },
  );

  test.if(isFull)("is reported if it has no effect, or if an element is missing", async () => {
    await stage.show(`<p id="a">A</p><p id="b">B</p><p>C</p>`);
    const dropped = await stage.act("drag_drop", { selector: "#a", to_selector: "#b" });
    expect(dropped).toMatchObject({
      success: false,
      data: { code: "not_applied", effect: "nothing_changed" },
    });
    const none = await stage.act("drag_drop", { selector: "#x", to_selector: "#b" });
    expect(none.data).toMatchObject({ code: "element_not_found", count: 0 });
    expect((await stage.act("drag_drop", { selector: "p", to_selector: "#b" })).data).toMatchObject({
      count: 3,
    });
    expect((await stage.act("drag_drop", { selector: "p[", to_selector: "#b" })).data).toMatchObject({
      code: "invalid_params",
    });
  });
});

describe("dropping a dragged element", () => {
  const BOX = `<div id="box" style="width:80px;background:#ccc">box</div>`;
  const VIEW = (inside: string) =>
    `<div id="view" style="width:500px;height:300px;overflow:scroll;position:relative">${inside}</div>`;
  /** Script of the page: a copy of the dragged element follows the pointer until the drag ends. */
  const SCRIPT = `<script>let ghost, on = "";
    box.onmousedown = (event) => { event.preventDefault(); ghost = box.cloneNode(true); ghost.id = "";
      ghost.style.cssText += ";position:fixed;pointer-events:none"; document.body.append(ghost) };
    document.addEventListener("mousemove", (event) => {
      if (ghost) Object.assign(ghost.style, { left: event.clientX + "px", top: event.clientY + "px" }) });
    document.addEventListener("mouseup", (event) => { if (!ghost) return; ghost.remove(); ghost = 0;
      const goal = event.target.closest("#goal"), { left, top } = view.getBoundingClientRect();
      if (!goal) return;
      did.push([Math.round(event.clientX - left), Math.round(event.clientY - top)].join("/"));
      document.querySelector("#out")?.append("dropped") });</script>`;
  const drop = (stage: SessionStage, more: object = {}) =>
    stage.act("drag_drop", { selector: "#box", to_selector: "#goal", ...more });

  testInOwnSession("hits the visible and uncovered part of its target", async (stage) => {
    const large = `<div id="goal" style="width:5000px;height:5000px">`;
    await stage.show(`${BOX}${VIEW(`${large}</div>`)}<p id="out"></p>${SCRIPT}`);
    expect(await drop(stage)).toMatchObject({ success: true, data: { dropped: true, effect: "changed" } });
    expect(await stage.run("did.join()")).toBe("250/150");
    expect((await drop(stage, { at: { x: 40, y: 260 } })).success).toBe(true);
    expect(await stage.run("did.join()")).toBe("250/150,40/260");
    expect((await drop(stage, { at: { x: 900, y: 0 } })).data).toMatchObject({
      code: "invalid_params",
      width: 500,
    });
    const over = (part: string) => `<div id="over" style="position:absolute;top:0;left:0;${part}"></div>`;
    await stage.show(
      `${BOX}${VIEW(`${large}</div>${over("width:380px;height:5000px")}`)}<p id="out"></p>${SCRIPT}`,
    );
    expect((await drop(stage)).success).toBe(true);
    expect(Number(String(await stage.run("did.join()")).split("/")[0])).toBeGreaterThan(380);
    await stage.show(`${BOX}${VIEW(`${large}</div>${over("width:5000px;height:5000px")}`)}${SCRIPT}`);
    expect((await drop(stage)).data).toMatchObject({ code: "element_covered", by: "div#over" });
  });

  if (isFull)
    testInOwnSession(
      "fails if it changes nothing that lasts, unless the target is a canvas, where no effect is visible",
      async (stage) => {
        await stage.show(`${BOX}${VIEW(`<p id="goal">Goal</p>`)}${SCRIPT}`);
        const { success, data } = await drop(stage);
        expect({ success, ...data }).toMatchObject({ success: false, code: "not_applied", changes: 0 });
        expect(await stage.run("did.length")).toBe(1);
        // A drop on a canvas changes no element, so its effect is unknown. On the second page of this test, the
        // drop sends a request, and its effect is that the page shows the response.
        stage.site.routes.set("/slow", async () => {
          await new Promise((resolve) => setTimeout(resolve, 600));
          return new Response("dropped");
        });
        await stage.show(`${BOX}${VIEW(`<canvas id="goal"></canvas>`)}${SCRIPT}`);
        expect(await drop(stage)).toMatchObject({ success: true, data: { effect: "unknown" } });
        await stage.show(`${BOX}${VIEW(`<p id="goal">Goal</p>`)}<p id="end"></p>${SCRIPT}<script>
      addEventListener("mouseup", async () => { end.textContent = await (await fetch("/slow")).text() })</script>`);
        expect(await drop(stage)).toMatchObject({ success: true, data: { effect: "changed" } });
      },
    );

  test.if(isFull)("sorts a list that needs a long press first, by a row or by the row's handle", async () => {
    const rows = ["A", "B", "C"].map(
      (name) => `<li style="padding:6px"><span id="${name}" role="button">${name}</span></li>`,
    );
    await stage.show(`<ul id="list">${rows.join("")}</ul><script>let row, held, timer, x, y;
      list.onpointerdown = (event) => { row = event.target.closest("li"); held = false; [x, y] = [event.clientX, event.clientY];
        timer = setTimeout(() => { held = true }, 200) };
      addEventListener("pointermove", (event) => {
        if (row && !held && Math.hypot(event.clientX - x, event.clientY - y) > 5) { clearTimeout(timer); row = undefined } });
      addEventListener("pointerup", (event) => {
        const over = document.elementFromPoint(event.clientX, event.clientY).closest("li");
        if (row && held && over && over !== row) over.after(row); row = undefined })</script>`);
    const sorted = await stage.act("drag_drop", { selector: "#A", to_selector: "#C" });
    expect(sorted.data).toMatchObject({ effect: "reordered", position: 2 });
    expect(await stage.run("list.innerText.replace(/\\s/g, '')")).toBe("BCA");
  });
});

describe("finding a text on a page", () => {
  test.if(isFull)(
    "scrolls to the text and returns its place, across elements, shadow roots and frames",
    async () => {
      await stage.show(`<h2>Terms</h2><div style="height:2000px">start</div><p>You pay <b>within  30</b>
      days.</p><p hidden>Hidden words</p><div id="host"></div><iframe srcdoc="<p>In the frame</p>"></iframe><p>pay again</p>
      <script>host.attachShadow({ mode: "open" }).innerHTML = "<p>In the shadow</p>"</script>`);
      const found = await stage.act("find_text", { text: "PAY within 30 days" });
      expect(found.data).toMatchObject({
        found: true,
        occurrences: 1,
        heading: "Terms",
        effect: "scrolled",
        context: expect.stringContaining("You pay within 30 days"),
      });
      const { box } = found.data as { box: { y: number } };
      expect(box.y > 0 && box.y < 800).toBe(true);
      expect((await stage.act("find_text", { text: "pay", nth: 2 })).data).toMatchObject({ occurrences: 2 });
      expect((await stage.act("find_text", { text: "in the shadow" })).data).toMatchObject({ found: true });
      expect((await stage.act("find_text", { text: "in the frame" })).data).toMatchObject({
        frame_url: "about:srcdoc",
      });
      for (const [text, nth, occurrences] of [
        ["Hidden words", 1, 0],
        ["pay", 3, 2],
      ] as const) {
        expect((await stage.act("find_text", { text, nth })).data).toMatchObject({
          code: "text_not_found",
          occurrences,
        });
      }
    },
  );

  test.if(isFull)(
    "returns an index for the element that contains the text, even if no analysis lists that element",
    async () => {
      const data = await stage.show(
        `<section><p>Intro</p><span id="report">Open report</span> <span>Other</span></section><button>Save <b>all</b></button>
       <script>document.onclick = ({ target }) => did.push(target.textContent)</script>`,
      );
      expect(names(data)).toEqual(["Save all"]);
      const [button] = data.highlightedElements;
      const all = await stage.act("find_text", { text: "all" });
      expect(all.data).toMatchObject({ index: button?.highlight_index });
      const { index } = (await stage.act("find_text", { text: "open report" })).data as { index: number };
      expect(index).not.toBe(button?.highlight_index);
      await stage.analyze();
      expect(await stage.act("click", { index })).toMatchObject({ success: true });
      expect(await stage.run("did.join()")).toBe("Open report");
      await stage.run("report.textContent = 'Delete report'");
      expect(await stage.act("click", { index })).toMatchObject({
        success: false,
        data: { code: "element_stale" },
      });
      expect(await stage.run("did.join()")).toBe("Open report");
      const again = (await stage.act("find_text", { text: "delete report" })).data as { index: number };
      expect(await stage.act("click", { index: again.index })).toMatchObject({ success: true });
      expect(await stage.run("did.join()")).toBe("Open report,Delete report");
    },
  );

  test.if(isFull)("finds a text after a letter that becomes two characters in lower case", async () => {
    await stage.show(`<p>İzmir Office</p>`);
    expect((await stage.act("find_text", { text: "office" })).data).toMatchObject({ found: true });
  });

  test.if(isFull)("finds a text in a frame of another site", async () => {
    const other = serveSite({ "/": html("Other", "<p>Far away</p>") }, { hostname: "127.0.0.2" });
    await stage.show(`<div style="height:1500px"></div><iframe src="${other.url("/")}"></iframe>`);
    expect((await stage.act("find_text", { text: "far away" })).data).toMatchObject({
      frame_url: other.url("/"),
    });
    other.stop();
  });
});

describe("a script that a caller runs in the page", () => {
  test("is refused by default, and the error names the setting that permits it", async () => {
    await stage.show("<p>A</p>");
    expect((await stage.act("evaluate", { code: "document.body.remove()" })).data).toEqual({
      code: "not_enabled",
      setting: "CAIRN_EVALUATE",
    });
    expect(await stage.run("document.body !== null")).toBe(true);
  });

  test("returns the value of an expression, a function or a body if scripts are permitted", async () => {
    const allowed = await sessionStage({ evaluate: true });
    const code =
      "document.body.append(Object.assign(document.createElement('div'), { textContent: 'Heard' })); document.body.lastChild.addEventListener('click', () => {})";
    await allowed.act("evaluate", { code });
    // In this session, a script has added the element "Heard" and its click listener to the empty start page.
    // The element must be listed like an element of a loaded page.
    expect(names(await allowed.analyze())).toEqual(["Heard"]);
    await allowed.show("<p>A</p><script>var n = 4</script>");
    const result = async (code: string) => (await allowed.act("evaluate", { code })).data;
    expect(await result("n + 1")).toEqual({ result: 5 });
    expect(await result("return [n, document.title]")).toEqual({ result: [4, "Page"] });
    expect(await result("async () => ({ n: await n })")).toEqual({ result: { n: 4 } });
    expect(await result("undefined")).toEqual({ result: null });
    expect(await result("nothing.there")).toMatchObject({
      code: "failed",
      thrown: expect.stringContaining("nothing"),
    });
    expect(await result("return (")).toMatchObject({ code: "invalid_params" });
    expect(await result("'x'.repeat(200_000)")).toMatchObject({ truncated: true });
    await allowed.close();
  });
});
