/**
 * Tests picking dates in a real Chromium. Some calendars open late, lie next to other calendars, wait for a
 * second date, or contain little text.
 */
import { expect, test } from "bun:test";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

async function pick(element: string, date: string, more: Readonly<Record<string, unknown>> = {}) {
  const data = await stage.analyze();
  return await stage.act("pick_date", { index: called(data, element).highlight_index, date, ...more });
}

/**
 * Script of a page with a calendar. It draws a month in weeks that start on Sunday, a header, and buttons for
 * other months.
 */
const CALENDAR = `<script>
  const iso = (date) => [date.getFullYear(), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-");
  const calendar = (box, pick, { late = 0, cell = (date) => "<td>" + date.getDate() + "</td>", arrows = ['<button aria-label="Previous month">&lsaquo;</button>', '<button aria-label="Next month">&rsaquo;</button>'], head = (text) => "<b>" + text + "</b>" } = {}) => {
    let shown = new Date(2026, 10, 1);
    box.innerHTML = arrows[0] + "<span></span>" + arrows[1] + "<table></table>";
    const days = (table, month) => {
      table.replaceChildren();
      const first = new Date(month.getFullYear(), month.getMonth(), 1 - month.getDay());
      for (let at = 0; at < 42; at++) {
        if (at % 7 === 0) table.insertRow();
        const date = new Date(first.getFullYear(), first.getMonth(), first.getDate() + at);
        table.rows[table.rows.length - 1].insertAdjacentHTML("beforeend", cell(date));
        const last = table.rows[table.rows.length - 1].lastElementChild;
        if (date.getMonth() === month.getMonth()) last.onclick = () => pick(iso(date), last);
        else last.setAttribute("aria-disabled", "true");
      }
    };
    const table = box.querySelector("table");
    const draw = (soon) => {
      const month = shown;
      box.querySelector("span").innerHTML = head(month.toLocaleDateString("en", { month: "long", year: "numeric" }));
      if (soon) setTimeout(() => days(table, month), late); else days(table, month);
    };
    const turn = (by) => { shown = new Date(shown.getFullYear(), shown.getMonth() + by, 1); draw(true); };
    box.firstElementChild.onclick = () => turn(-1);
    table.previousElementSibling.onclick = () => turn(1);
    draw(false);
  };</script>`;

test("picking a date uses the calendar that the field opens, and not a nearer calendar or that of another field", async () => {
  await stage.show(`${CALENDAR}<label>Start <input id="f"></label><label>Other <input id="o" readonly></label>
    <div id="p" style="position: absolute; left: 600px; top: 300px; background: white"></div><div id="always"></div><style>#always td { min-width: 30px }</style>
    <script>calendar(always, (date, day) => { did.push(date); day.setAttribute("aria-selected", "true"); });
    f.onfocus = () => calendar(p, (date) => { f.value = date; p.replaceChildren(); });</script>`);
  expect(await pick("Start", "2026-12-05")).toMatchObject({ success: true, data: { value: "2026-12-05" } });
  expect(await stage.run("did.join()")).toBe("");
  // A date was chosen, but perhaps in the calendar of another field, so the action fails.
  expect(await pick("Other", "2026-11-05")).toMatchObject({ success: false, data: { code: "not_applied" } });
});

test("picking a date in a calendar that is always visible accepts the index of any of its elements", async () => {
  await stage.show(`${CALENDAR}<div id="c"></div><p id="t">-</p>
    <script>calendar(c, (date, day) => { did.push(date); day.setAttribute("aria-selected", "true"); });</script>`);
  expect(await pick("Next month", "2026-11-12")).toMatchObject({ success: true });
  expect(await stage.run("did.join()")).toBe("2026-11-12");
});

test("picking a date waits for days that are drawn or enabled after the calendar's header", async () => {
  await stage.show(`${CALENDAR}<label>Late <input id="f" readonly></label><div id="p" hidden></div>
    <label>Soon <input id="s" readonly></label><div id="q" hidden></div>
    <script>calendar(p, (date) => { f.value = date; p.hidden = true; }, { late: 150 });
    f.onclick = () => { p.hidden = false; };
    calendar(q, (date, day) => { if (day.ariaDisabled !== "true") { s.value = date; q.hidden = true; } });
    s.onclick = () => { q.hidden = false; for (const one of q.querySelectorAll("td:not([aria-disabled])")) {
      one.ariaDisabled = "true"; setTimeout(() => { one.ariaDisabled = "false"; }, 200); } };</script>`);
  expect(await pick("Late", "2027-01-01")).toMatchObject({ success: true, data: { value: "2027-01-01" } });
  expect(await pick("Late", "2026-12-31")).toMatchObject({ success: true, data: { value: "2026-12-31" } });
  expect(await pick("Soon", "2026-11-12")).toMatchObject({ success: true, data: { value: "2026-11-12" } });
}, 20_000);

test.each([
  ["have no text", ""],
  ["have no text, and the header is wider than the days", "<style>* { font-family: monospace }</style>"],
])(
  "the arrow buttons of a calendar are recognised by their place at the header and by their effect if they %s",
  async (_, style) => {
    const arrow = `<button><svg width="12" height="12"><path d="M1 1l9 5-9 5" /></svg></button>`;
    const wide = `(text) => '<button style="width: 150px">' + text + "</button>"`;
    await stage.show(`${style}${CALENDAR}<button id="d" aria-haspopup="dialog">Pick a day</button><div id="p" role="dialog" hidden></div>
    <button id="e" aria-haspopup="dialog">Turned round</button><div id="q" role="dialog" hidden style="width: 300px"></div>
    <script>const arrows = ['${arrow}', '${arrow}'];
    calendar(p, (date) => { d.textContent = "Day: " + date; p.hidden = true; }, { arrows, head: ${wide} });
    d.onclick = () => { p.hidden = !p.hidden; };
    calendar(q, (date) => { e.textContent = "Day: " + date; q.hidden = true; }, { arrows, head: ${wide} });
    const [back] = q.children; const on = q.querySelector("table").previousElementSibling;
    [back.onclick, on.onclick] = [on.onclick, back.onclick];
    e.onclick = () => { q.hidden = !q.hidden; };</script>`);
    expect(await pick("Pick a day", "2027-02-03")).toMatchObject({ success: true });
    expect(await stage.run("d.textContent")).toBe("Day: 2027-02-03");
    expect(await pick("Turned round", "2026-09-08")).toMatchObject({ success: true });
    expect(await stage.run("e.textContent")).toBe("Day: 2026-09-08");
  },
  20_000,
);

test("the calendar of a date range stays open until the second date is picked", async () => {
  await stage.show(`${CALENDAR}<button id="d" aria-haspopup="dialog" aria-expanded="false">Pick dates</button><div id="p" role="dialog" hidden></div>
    <script>let first; const shut = () => { p.hidden = true; first = undefined; };
    calendar(p, (date, cell) => {
      if (first === undefined) { first = date; cell.firstChild.className = "selected"; return; }
      d.textContent = first + " - " + date; shut(); }, { cell: (date) => "<td><button>" + date.getDate() + "</button></td>" });
    d.onclick = () => { if (p.hidden) p.hidden = false; else shut(); };
    addEventListener("keydown", ({ key }) => key === "Escape" && shut());</script>`);
  expect(await pick("Pick dates", "2026-11-10")).toMatchObject({
    success: true,
    data: { waits_for: expect.stringContaining("other date") },
  });
  const second = await pick("Pick dates", "2026-11-20");
  expect(second).toMatchObject({ success: true });
  expect(second.data.waits_for).toBeUndefined();
  expect(await stage.run("d.textContent")).toBe("2026-11-10 - 2026-11-20");
});

test("picking a date succeeds if a button then shows that date, although the clicked day was redrawn", async () => {
  await stage.show(`${CALENDAR}<button id="b">Immediately</button><div id="p" hidden></div><label>When <input id="f"></label><div id="q" hidden></div>
    <script>calendar(p, (date) => { b.textContent = new Date(date + "T12:25").toLocaleString("en", { dateStyle: "long", timeStyle: "short" });
      for (const one of p.querySelectorAll("td")) one.replaceWith(one.cloneNode(true)); });
    b.onclick = () => { p.hidden = false; };
    addEventListener("keydown", ({ key }) => { if (key === "Escape") p.hidden = true; });
    calendar(q, (date, day) => { day.ariaSelected = "true"; f.dataset.kept = date; });
    q.insertAdjacentHTML("beforeend", "<button>Done</button>");
    q.lastElementChild.onclick = () => { f.value = f.dataset.kept; q.hidden = true; };
    f.onclick = () => { q.hidden = false; };</script>`);
  expect(await pick("Immediately", "2027-02-14")).toMatchObject({ success: true });
  expect(await stage.run("b.textContent + p.hidden")).toBe("February 14, 2027 at 12:25 PMtrue");
  expect(await pick("When", "2026-11-24")).toMatchObject({
    success: true,
    data: { value: "", waits_for: expect.stringContaining(`"Done"`) },
  });
}, 20_000);

test("picking a date repeats the pick and leaves the calendar open if closing it discards the date", async () => {
  await stage.show(`${CALENDAR}<button id="d">Pick dates</button><div id="p" hidden></div><input id="f" aria-label="From" readonly>
    <script>let first; const shut = () => { p.hidden = true; if (first) f.value = d.textContent = ""; d.textContent ||= "Pick dates"; first = undefined; };
    calendar(p, (date) => { did.push(date); if (!first) { first = date; (open === d ? d.firstChild.data = date + " - " : f.value = date); return; }
      d.textContent = first + " - " + date; first = undefined; shut(); });
    let open; const opens = (one) => () => { if (!p.hidden) return shut(); open = one; p.hidden = false; };
    d.onclick = opens(d); f.onclick = opens(f);
    addEventListener("keydown", ({ key }) => key === "Escape" && shut());</script>`);
  // After the first of the two dates, the field already shows this date, but the calendar stays open for the second
  // date. The action sees that a date is missing only when it cannot close the calendar.
  expect(await pick("From", "2026-11-10")).toMatchObject({
    success: true,
    data: { value: "2026-11-10", waits_for: expect.any(String) },
  });
  expect(await stage.run("did.join() + p.hidden")).toBe("2026-11-10,2026-11-10false");
  await stage.run("shut()");
  expect(await pick("Pick dates", "2026-11-12")).toMatchObject({ data: { waits_for: expect.any(String) } });
  expect(await stage.run("d.textContent")).toBe("2026-11-12 - ");
}, 20_000);

test("week numbers of a calendar are not taken for days", async () => {
  await stage.show(`${CALENDAR}<label>When <input id="f" readonly></label><div id="p" hidden></div>
    <script>calendar(p, (date) => { f.value = date; p.hidden = true; },
      { cell: (date) => (date.getDay() === 0 ? "<td>" + Math.ceil(date.getDate() / 7 + 1) + "</td>" : "") + "<td>" + date.getDate() + "</td>" });
    f.onclick = () => { p.hidden = false; };</script>`);
  expect(await pick("When", "2027-01-02")).toMatchObject({ success: true, data: { value: "2027-01-02" } });
});

test("picking a date in a calendar with several months under one header uses the month that is visible", async () => {
  await stage.show(`${CALENDAR}<label>When <input id="f" readonly></label>
    <div id="p" hidden style="width: 240px; margin-left: 240px; transition: opacity 450ms"><b>November 2026</b>
    <div id="s" style="width: 240px; overflow: auto; display: flex; scrollbar-width: none"></div></div>
    <script>for (const [month, length] of [[10, 31], [11, 30], [12, 31]]) {
      const days = document.createElement("div");
      days.style.cssText = "flex: none; width: 240px";
      for (let day = 1; day <= length; day++) {
        const one = document.createElement("button");
        Object.assign(one, { textContent: day, style: "width: 30px" });
        one.dataset.day = day; one.dataset.month = month; one.dataset.year = 2026;
        one.onclick = () => { f.value = "2026-" + month + "-" + String(day).padStart(2, "0"); p.style.opacity = "0"; setTimeout(() => { p.hidden = true; }, 450); };
        days.append(one);
      }
      s.append(days);
    }
    f.onclick = () => { p.hidden = false; s.scrollLeft = 240; };</script>`);
  const picked = await pick("When", "2026-11-24");
  expect(picked).toMatchObject({ success: true, data: { value: "2026-11-24" } });
  expect(JSON.stringify(picked.data.page ?? "")).not.toContain("button");
});

test("a calendar is opened by a button that is slotted into the shadow root of the field", async () => {
  await stage.show(`${CALENDAR}<x-date id="x"></x-date><div id="p" hidden></div><script>
    customElements.define("x-field", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = '<input aria-label="When"><slot></slot>'; } });
    customElements.define("x-date", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = '<x-field style="display: inline-block"><span class="icon" style="display: inline-block; width: 20px; height: 20px; cursor: pointer"></span></x-field>';
      this.shadowRoot.querySelector(".icon").onclick = () => { p.hidden = false; }; } });
    calendar(p, (date) => { x.shadowRoot.firstElementChild.shadowRoot.querySelector("input").value = date; p.hidden = true; });</script>`);
  expect(await pick("When", "2026-12-05")).toMatchObject({ success: true, data: { value: "2026-12-05" } });
});

test("a date is typed in the format of the example in the field's placeholder, such as 24/12/2026 or Dec 31, 2026", async () => {
  await stage.show(`<input aria-label="Numbers" placeholder="e.g. 24/12/2026"><input aria-label="Words" placeholder="e.g. Dec 31, 2026">
    <input aria-label="Open" placeholder="e.g. 05/06/2026">`);
  expect((await pick("Numbers", "2027-02-03")).data).toMatchObject({ value: "03/02/2027" });
  expect((await pick("Words", "2027-02-03")).data).toMatchObject({ value: "Feb 3, 2027" });
  expect((await pick("Open", "2027-02-03")).data).toMatchObject({ code: "invalid_params" });
}, 20_000);

test("a time is set in native fields, in fields of several parts, and next to a date", async () => {
  const part = (name: string, least: number, most: number) =>
    `<span role="spinbutton" tabindex="0" aria-label="${name}" aria-valuemin="${least}" aria-valuemax="${most}" style="display: inline-block; width: 30px">-</span>`;
  await stage.show(`<input type="datetime-local" aria-label="At" value="2026-01-02T09:15"><input type="time" aria-label="Clock"><input type="week" aria-label="Week">
    <input type="month" aria-label="Month">
    <div><span id="l" onclick="1">Born</span><div id="parts">${part("Month", 1, 12)}${part("Day", 1, 31)}${part("Year", 1, 9999)}${part("Hours", 1, 12)}${part("Minutes", 0, 59)}<span role="spinbutton" tabindex="0" aria-label="Meridiem" aria-valuemin="0" aria-valuemax="12" style="display: inline-block; width: 30px" id="h">AM</span></div></div>
    <input id="w" aria-label="Words" value="11/22/2026 12:00 AM"><input id="n" aria-label="Only" value="2026-11-22">
    <script>for (const one of document.querySelectorAll("[role=spinbutton]")) one.onkeydown = ({ key }) => {
      if (one === h) { h.textContent = key === "p" ? "PM" : "AM"; return; }
      if (!/\\d/.test(key)) return;
      one.textContent = one.textContent.replace("-", "") + key; one.setAttribute("aria-valuenow", Number(one.textContent)); }</script>`);
  expect((await pick("At", "2027-02-28")).data).toMatchObject({ value: "2027-02-28T09:15" });
  expect((await pick("At", "2027-02-28", { time: "14:30" })).data).toMatchObject({
    value: "2027-02-28T14:30",
  });
  expect((await pick("Week", "2027-01-01")).data).toMatchObject({ value: "2026-W53" });
  expect((await pick("Month", "2027-02")).data).toMatchObject({ value: "2027-02" });
  expect((await pick("Words", "2027-02")).data).toMatchObject({ code: "invalid_params" });
  const clock = called(await stage.analyze(), "Clock").highlight_index;
  expect((await stage.act("pick_date", { index: clock, time: "14:30" })).data).toMatchObject({
    value: "14:30",
  });
  expect(await pick("Born", "2027-02-28", { time: "14:30" })).toMatchObject({ success: true });
  expect(await stage.run("parts.textContent")).toBe("022820270230PM");
  expect((await pick("Words", "2026-11-23", { time: "14:05" })).data).toMatchObject({
    code: "invalid_params",
  });
  expect((await pick("Only", "2026-11-24", { time: "14:05" })).data).toMatchObject({
    code: "not_applied",
    picked: "2026-11-24",
  });
}, 30_000);

test("a date is picked in a table cell that a double click opens for editing", async () => {
  await stage.show(`${CALENDAR}<table role="grid"><tr><td role="gridcell" tabindex="-1" id="t">2026-11-01</td></tr></table><div id="p" hidden></div>
    <script>t.ondblclick = () => { p.hidden = false; };
    calendar(p, (date) => { t.textContent = date; p.hidden = true; });</script>`);
  const [cell] = (await stage.analyze()).highlightedElements.filter(({ tagName }) => tagName === "td");
  expect(await stage.act("pick_date", { index: cell?.highlight_index, date: "2026-12-05" })).toMatchObject({
    success: true,
  });
  expect(await stage.run("t.textContent")).toBe("2026-12-05");
});
