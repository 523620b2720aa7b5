/**
 * Tests fields that a script composes of several elements: filling them, choosing in them, and closing their
 * popups.
 */
import { describe, expect, test } from "bun:test";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { actionOn } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const did = (): Promise<unknown> => stage.run("did.join()");

/** A list of 500 items, of which only the visible ones exist as elements. Scrolling replaces them. */
const VIRTUAL = `<input id="f" role="combobox" aria-label="Item" aria-haspopup="listbox" aria-expanded="false" aria-controls="l" readonly>
  <div id="w" style="display: none; position: absolute; top: 60px; left: 0; width: 200px; height: 150px; overflow-y: auto; background: white; z-index: 1"><ul id="l" role="listbox" style="height: 15000px; margin: 0; padding: 0; position: relative"></ul></div>
  <button style="display: block; margin-top: 50px" onclick="did.push('next')">Next</button>
  <script>
    const draw = () => {
      const first = Math.max(0, Math.floor(w.scrollTop / 30) - 1);
      l.replaceChildren(...Array.from({ length: 8 }, (_, at) => {
        const known = [...l.children].find((one) => one.textContent === "Item " + (first + at + 1));
        const item = known ?? Object.assign(document.createElement("li"), { role: "option", textContent: "Item " + (first + at + 1) });
        item.style.cssText = "position: absolute; height: 30px; list-style: none; top: " + (first + at) * 30 + "px";
        item.onclick = () => { f.value = item.textContent; did.push(item.textContent); show(false); };
        return item;
      }));
    };
    const show = (open) => { w.style.display = open ? "block" : "none"; f.ariaExpanded = String(open); if (open) draw(); };
    f.onclick = () => show(f.ariaExpanded !== "true");
    w.onscroll = draw;
    addEventListener("keydown", ({ key }) => key === "Escape" && show(false));
  </script>`;

describe("a virtualised list", () => {
  test.if(isFull)(
    "offers an option for selection although scrolling replaces the options around it",
    async () => {
      await stage.show(VIRTUAL);
      expect(await actionOn(stage, "select_dropdown", "Item", { text: "Item 78" })).toMatchObject({
        success: true,
      });
      expect(await did()).toBe("Item 78");
    },
    30_000,
  );

  test.if(isFull)(
    "closes its popup if the requested option is not found",
    async () => {
      await stage.show(LISTED);
      const none = await actionOn(stage, "select_dropdown", "Town", { text: "Paris" });
      expect(none.data).toMatchObject({ code: "invalid_params" });
      expect(await actionOn(stage, "click", "Next")).toMatchObject({ success: true });
      expect(await did()).toBe("next");
    },
    30_000,
  );
});

/** A list that covers a button until Escape is pressed. */
const LISTED = `<button id="f" role="combobox" aria-label="Town" aria-haspopup="listbox" aria-expanded="false" aria-controls="l">–</button>
  <ul id="l" role="listbox" hidden style="position: absolute; top: 30px; margin: 0; width: 300px; height: 200px; background: white"><li role="option">Graz</li><li role="option">Linz</li></ul>
  <button style="display: block; margin-top: 30px" onclick="did.push('next')">Next</button>
  <script>
    const show = (open) => { l.hidden = !open; f.ariaExpanded = String(open); };
    f.onclick = () => show(true);
    l.onclick = ({ target }) => { f.textContent = target.textContent; did.push(target.textContent); show(false); };
    addEventListener("keydown", ({ key }) => key === "Escape" && show(false));
  </script>`;

test.if(isFull)(
  "selecting an option waits for options that load late",
  async () => {
    await stage.show(`<div role="combobox" id="c" aria-expanded="false" aria-haspopup="listbox" aria-owns="o"><input id="f" aria-label="Mail"></div><ul id="o" role="listbox"></ul>
    <script>let coming; c.onclick = () => {
      const open = c.ariaExpanded !== "true"; c.ariaExpanded = String(open); clearTimeout(coming); o.replaceChildren();
      if (open) coming = setTimeout(() => { o.innerHTML = '<li role="option">a@example.com</li><li role="option">b@example.com</li>'; }, 1_000);
    };
    o.onclick = ({ target }) => { f.value = target.textContent; did.push(f.value); };</script>`);
    expect(await actionOn(stage, "select_dropdown", "Mail", { text: "b@example.com" })).toMatchObject({
      success: true,
    });
    expect(await did()).toBe("b@example.com");
  },
  30_000,
);

describe("typing text", () => {
  test("into a container fills the only field inside it", async () => {
    await stage.show(
      `<div role="combobox" aria-label="Tags" aria-expanded="false" tabindex="0" style="padding: 9px"><span>blue</span><input id="f"></div>`,
    );
    expect(await actionOn(stage, "input", "Tags: blue", { text: "green" })).toMatchObject({ success: true });
    expect(await stage.run("f.value")).toBe("green");
  });

  test("fails with a reason if the element is not a field", async () => {
    await stage.show(`<button>Save</button>`);
    const { success, error, data } = await actionOn(stage, "input", "Save", { text: "x" });
    expect([success, data.code]).toEqual([false, "invalid_params"]);
    expect(error).toContain("nothing to type into");
  });
});

describe("the action fill_form", () => {
  const fill = (fields: readonly Readonly<Record<string, unknown>>[]) => stage.act("fill_form", { fields });

  test("finds a field without a label by the adjacent text", async () => {
    await stage.show(`<div><div>Amount</div><div><input id="a" placeholder="Please enter"></div></div>
      <div><div>Remark</div><div><input id="r" placeholder="Please enter"></div></div>`);
    expect(await fill([{ label: "Remark", value: "soon" }])).toMatchObject({ success: true });
    expect(await stage.run("a.value + '|' + r.value")).toBe("|soon");
  });

  test("prefers a text field to a choice field with the same name if the value is text", async () => {
    await stage.show(`<label>Day <input id="d"></label><label><input type="radio" name="view" id="v">Day</label>
      <label><input type="radio" name="view">Week</label>`);
    expect(await fill([{ label: "Day", value: "Monday" }])).toMatchObject({ success: true });
    expect(await stage.run("d.value + v.checked")).toBe("Mondayfalse");
    expect(await fill([{ label: "Day", value: true }])).toMatchObject({ success: true });
    expect(await stage.run("d.value + v.checked")).toBe("Mondaytrue");
  });

  test("chooses an option in any field that opens a list, or types the value if no option matches", async () => {
    await stage.show(LISTED);
    expect(await fill([{ label: "Town", value: "Linz" }])).toMatchObject({ success: true });
    expect(await did()).toBe("Linz");
    await stage.show(`<input id="f" role="combobox" aria-label="Search for" aria-expanded="false" aria-controls="o"><ul id="o" role="listbox" hidden><li role="option">shoes</li></ul>
      <script>f.onfocus = () => { o.hidden = false; }; f.onblur = () => { o.hidden = true; };</script>`);
    expect(await fill([{ label: "Search for", value: "hats" }])).toMatchObject({ success: true });
    expect(await stage.run("f.value")).toBe("hats");
  }, 30_000);

  test("reads the state of a switch that is drawn after a delay", async () => {
    await stage.show(`<label for="s">Notify</label><input id="s" type="checkbox" role="switch" aria-checked="false">
      <script>s.onclick = (event) => { event.preventDefault(); did.push("turned"); setTimeout(() => { s.setAttribute("aria-checked", "true"); }, 200); };</script>`);
    expect(await fill([{ label: "Notify", value: true }])).toMatchObject({ success: true });
    expect(await did()).toBe("turned");
  });
});

describe("setting a date", () => {
  /**
   * Script of a page with a calendar. Its function draws the days of a month, and buttons for the next and the
   * previous month.
   */
  const CALENDAR = `<script>
    const calendar = (box, turns, pick) => {
      let [year, month] = [2026, 10];
      const draw = () => {
        const name = new Date(year, month, 1).toLocaleDateString("en", { month: "long", year: "numeric" });
        const days = new Date(year, month + 1, 0).getDate();
        box.innerHTML = (turns ? '<button aria-label="Previous month">&lsaquo;</button>' : "") + "<b>" + name + "</b>" + (turns ? '<button aria-label="Next month">&rsaquo;</button>' : "") +
          '<div class="days">' + Array.from({ length: days }, (_, at) => '<span class="day" style="display: inline-block; width: 30px">' + (at + 1) + "</span>").join("") + "</div>";
        const [back, on] = box.querySelectorAll("button");
        if (back) back.onclick = () => { month--; draw(); };
        if (on) on.onclick = () => { month++; draw(); };
        box.querySelectorAll(".day").forEach((day) => { day.onclick = () => pick(year + "-" + String(month + 1).padStart(2, "0") + "-" + day.textContent.padStart(2, "0"), day); });
      };
      draw();
    };</script>`;

  test.if(isFull)(
    "uses the calendar that the field opens, and not a calendar that is always visible on the page",
    async () => {
      await stage.show(`${CALENDAR}<label>When <input id="f" aria-haspopup="dialog" aria-expanded="false" readonly></label>
      <div id="p" style="position: absolute; left: 500px; top: 300px"></div><div id="always" style="margin-top: 10px"></div>
      <script>calendar(always, true, (date) => did.push("page " + date));
      f.onclick = () => { f.ariaExpanded = "true"; calendar(p, true, (date) => { f.value = date; did.push("field " + date); p.replaceChildren(); f.ariaExpanded = "false"; }); };</script>`);
      expect(await actionOn(stage, "pick_date", "When", { date: "2026-12-05" })).toMatchObject({
        success: true,
      });
      expect(await did()).toBe("field 2026-12-05");
    },
    30_000,
  );

  test.if(isFull)(
    "types the date if the calendar cannot reach the month",
    async () => {
      await stage.show(`${CALENDAR}<label>When <input id="f" placeholder="YYYY-MM-DD"></label><div id="p"></div>
      <script>f.onclick = () => calendar(p, false, (date) => { f.value = date; }); addEventListener("keydown", ({ key }) => key === "Escape" && p.replaceChildren());</script>`);
      expect(await actionOn(stage, "pick_date", "When", { date: "2027-03-09" })).toMatchObject({
        success: true,
      });
      expect(await stage.run("f.value")).toBe("2027-03-09");
    },
    30_000,
  );

  test.if(isFull)(
    "sets both fields of a date range when the second date is picked",
    async () => {
      await stage.show(`${CALENDAR}<label>From <input id="a" aria-haspopup="dialog" aria-expanded="false" readonly></label><label>Until <input id="z" aria-haspopup="dialog" aria-expanded="false" readonly></label><div id="p"></div>
      <script>let first; const show = (open) => { a.ariaExpanded = z.ariaExpanded = String(open); if (!open) { first = undefined; p.replaceChildren(); } };
      const open = () => { if (a.ariaExpanded === "true") return; show(true); calendar(p, true, (date, day) => {
        if (first === undefined) { first = date; day.className += " start-date"; return; }
        [a.value, z.value] = [first, date]; show(false); }); };
      a.onclick = z.onclick = open; addEventListener("keydown", ({ key }) => key === "Escape" && show(false));</script>`);
      const first = await actionOn(stage, "pick_date", "From", { date: "2026-11-10" });
      expect(first).toMatchObject({ success: true, data: { waits_for: expect.any(String) } });
      expect(await actionOn(stage, "pick_date", "Until", { date: "2026-11-20" })).toMatchObject({
        success: true,
      });
      expect(await stage.run("a.value + ' ' + z.value")).toBe("2026-11-10 2026-11-20");
    },
    30_000,
  );
});

test("hovering waits until content opens, although something else changes immediately", async () => {
  await stage.show(`<div id="m" role="button" tabindex="0" aria-haspopup="menu" aria-expanded="false">Work</div><p id="p">0</p>
    <ul id="l" role="menu" hidden><li role="menuitem">Tasks</li></ul>
    <script>m.onmouseenter = () => { p.textContent = "1"; setTimeout(() => { l.hidden = false; m.ariaExpanded = "true"; }, 250); };</script>`);
  const { data } = await actionOn(stage, "hover", "Work");
  // The cast is safe: the field `lines` of an outcome's `page` is a string, or it is absent.
  expect(String((data.page as { readonly lines?: string } | undefined)?.lines)).toContain("Tasks");
});
