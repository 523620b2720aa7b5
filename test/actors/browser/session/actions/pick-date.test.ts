/** Tests picking dates in a real Chromium, in native date fields and in scripted calendars. */
import { describe, expect, test } from "bun:test";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { testInOwnSession } from "../concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called, type SessionStage } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

async function pick(stage: SessionStage, element: string, date: string) {
  const data = await stage.analyze();
  return await stage.act("pick_date", { index: called(data, element).highlight_index, date });
}

interface CalendarStyle {
  readonly language: string;
  /** A JavaScript expression that returns the HTML of the calendar cell for the date `day`. */
  readonly cell: string;
  readonly written: string;
}

/** Returns the HTML of a calendar with 42 days below a field, with buttons for other months. */
const widget = ({
  language,
  cell,
  written,
}: CalendarStyle) => `<input id="f" aria-label="When" readonly><div id="c" style="display:none">
  <div><button id="p" aria-label="Previous month">&lsaquo;</button><span id="t"></span><button id="n" aria-label="Next month">&rsaquo;</button></div>
  <table><tbody id="b"></tbody></table></div><script>
  let shown = new Date(2026, 10, 1);
  const draw = () => {
    t.textContent = shown.toLocaleDateString("${language}", { month: "long", year: "numeric" });
    const first = new Date(shown.getFullYear(), shown.getMonth(), 1 - shown.getDay());
    b.innerHTML = "";
    for (let at = 0; at < 42; at++) {
      const day = new Date(first.getFullYear(), first.getMonth(), first.getDate() + at);
      const other = day.getMonth() !== shown.getMonth();
      if (at % 7 === 0) b.append(document.createElement("tr"));
      b.lastChild.insertAdjacentHTML("beforeend", ${cell});
      b.lastChild.lastElementChild.onclick = () => { f.value = ${written}; c.style.display = "none"; };
    }
  };
  f.onclick = () => { c.style.display = "block"; draw(); };
  p.onclick = () => { shown = new Date(shown.getFullYear(), shown.getMonth() - 1, 1); draw(); };
  n.onclick = () => { shown = new Date(shown.getFullYear(), shown.getMonth() + 1, 1); draw(); };</script>`;

test("picking a date sets the date of a native field", async () => {
  await stage.show(`<input type="date" aria-label="When"><input type="datetime-local" aria-label="At">`);
  expect((await pick(stage, "When", "2027-02-28")).data).toMatchObject({
    picked: "2027-02-28",
    value: "2027-02-28",
  });
  expect((await pick(stage, "At", "2027-02-28")).data).toMatchObject({ value: "2027-02-28T00:00" });
});

test("the name of a group with a date and a time finds the field of the picked part", async () => {
  await stage.show(`<fieldset><legend>Valid until</legend><input type="date" aria-label="Date"><input type="time" aria-label="Time"></fieldset>
    <fieldset><legend>Orders</legend><label><input type="radio" name="o">No access</label><label><input type="radio" name="o">View</label></fieldset>
    <fieldset><legend>Products</legend><label><input type="radio" name="p">No access</label><label><input type="radio" name="p">View</label></fieldset>`);
  const label = "Valid until";
  expect((await stage.act("pick_date", { label, date: "2027-02-28" })).data).toMatchObject({
    value: "2027-02-28",
  });
  expect((await stage.act("pick_date", { label, time: "18:30" })).data).toMatchObject({ value: "18:30" });
  expect((await stage.act("pick_date", { label, date: "2027-02-28", time: "18:30" })).data.code).toBe(
    "element_ambiguous",
  );
  expect((await stage.act("click", { label: "Products: No access" })).success).toBe(true);
  expect(await stage.run("[...document.querySelectorAll(':checked')].map(({ name }) => name).join()")).toBe(
    "p",
  );
});

/** Calendars that differ in the HTML of their day cells. The fast tier uses the first two. */
const CALENDARS = [
  [
    "plain numbers",
    {
      language: "en",
      cell: `"<td" + (other ? " class=other" : "") + ">" + day.getDate() + "</td>"`,
      written: `day.toLocaleDateString("en-GB")`,
    },
  ],
  [
    "cells with their date in a label",
    {
      language: "de",
      cell: `'<td><button aria-label="' + day.toLocaleDateString("de", { day: "numeric", month: "long", year: "numeric" }) + '">' + day.getDate() + '</button></td>'`,
      written: `day.toLocaleDateString("de", { dateStyle: "long" })`,
    },
  ],
  [
    "cells without attributes",
    {
      language: "fr",
      cell: `"<td>" + day.getDate() + "</td>"`,
      written: `[day.getFullYear(), day.getMonth() + 1, day.getDate()].join("-")`,
    },
  ],
  [
    "cells with a time stamp",
    {
      language: "en",
      cell: `'<td data-date="' + day.getTime() + '">' + day.getDate() + '</td>'`,
      written: `day.toLocaleDateString("en-US", { dateStyle: "medium" })`,
    },
  ],
] as const;

test.each(CALENDARS.slice(0, isFull ? undefined : 1))(
  "picking a date turns a calendar of %s to the month, forwards and back, and clicks the day",
  async (_, style) => {
    await stage.show(widget(style), `<script>document.documentElement.lang = "${style.language}"</script>`);
    for (const date of ["2026-11-22", "2027-02-01", "2026-08-31", "2026-08-30"]) {
      expect((await pick(stage, "When", date)).data).toMatchObject({
        picked: date,
        value: expect.any(String),
      });
      const [year = "", , day = ""] = date.split("-");
      const value = await stage.run("f.value");
      expect(value).toContain(String(Number(day)));
      expect(value).toContain(year);
    }
  },
  60_000,
);

if (isFull)
  testInOwnSession(
    "picking a date fails with a reason for a disabled day, and for a field without a calendar",
    async (stage) => {
      const style = {
        language: "en",
        cell: `"<td class=disabled>" + day.getDate() + "</td>"`,
        written: `"x"`,
      };
      await stage.show(widget(style));
      expect((await pick(stage, "When", "2026-11-22")).data).toMatchObject({
        code: "not_applied",
        shows: "2026-11",
      });
      await stage.show(`<input aria-label="When">`);
      expect((await pick(stage, "When", "2026-11-22")).data).toMatchObject({ code: "invalid_params" });
    },
  );

if (isFull)
  testInOwnSession(
    "picking a date fails with a reason if the calendar sets another day than the clicked one",
    async (stage) => {
      await stage.show(
        widget({ language: "en", cell: `"<td>" + day.getDate() + "</td>"`, written: `"2026-11-01"` }),
      );
      expect((await pick(stage, "When", "2026-11-22")).data).toMatchObject({
        code: "not_applied",
        value: "2026-11-01",
      });
    },
  );

if (isFull)
  testInOwnSession(
    "picking a date by a calendar's icon button is verified by the value of the field",
    async (stage) => {
      const style = {
        language: "en",
        cell: `"<td>" + day.getDate() + "</td>"`,
        written: `day.toLocaleDateString("en-CA")`,
      };
      const script = widget(style).replace("f.onclick", "o.onclick").replace(" readonly>", "> ");
      await stage.show(
        `<p><input aria-label="Other" value="2025-03-09"></p><div>${script}</div>`.replace(
          '<div id="c"',
          `<button id="o"><span title="Choose a day" style="display:inline-block;width:16px;height:16px"></span></button><div id="c"`,
        ),
      );
      expect(await pick(stage, "Choose a day", "2025-03-09")).toMatchObject({
        success: true,
        data: { picked: "2025-03-09" },
      });
      expect(await stage.run("document.getElementById('f').value")).toBe("2025-03-09");
      await stage.run(
        "document.getElementById('b').addEventListener('click', (e) => e.stopImmediatePropagation(), true)",
      );
      expect(await pick(stage, "Choose a day", "2025-04-10")).toMatchObject({
        success: false,
        data: { code: "not_applied" },
      });
    },
  );

if (isFull)
  testInOwnSession(
    "picking a date types the date in the format of the field if there is no calendar",
    async (stage) => {
      await stage.show(`<input aria-label="From" placeholder="dd.mm.yyyy"><input aria-label="To" value="2026/11/05">
    <input aria-label="Kept" placeholder="mm/dd/yyyy" onblur="this.value = ''">`);
      expect((await pick(stage, "From", "2026-12-24")).data).toMatchObject({
        picked: "2026-12-24",
        value: "24.12.2026",
      });
      expect((await pick(stage, "To", "2026-12-24")).data).toMatchObject({ value: "2026/12/24" });
      expect((await pick(stage, "Kept", "2026-12-24")).data).toMatchObject({
        code: "not_applied",
        value: "",
      });
    },
  );

const PLAIN = {
  language: "en",
  cell: `"<td>" + (other ? "" : day.getDate()) + "</td>"`,
  written: `[day.getFullYear(), String(day.getMonth() + 1).padStart(2, "0"), String(day.getDate()).padStart(2, "0")].join("-")`,
};
const FOLLOWS = `f.onkeyup = () => { const [y, m] = f.value.split("-").map(Number); if (y && m) { shown = new Date(y, m - 1, 1); draw() } };`;

test.if(isFull).each([
  ["turns a calendar that follows the typed text", FOLLOWS, "1985-05-14", 0],
  ["turns a calendar month by month that does not follow the typed text", "", "2024-10-05", 25],
])("picking a date that is years away from today %s", async (_, script, date, presses) => {
  await stage.show(`${widget(PLAIN).replace(" readonly", "")}
    <script>let presses = 0; p.addEventListener("click", () => presses++); ${script}</script>`);
  expect((await pick(stage, "When", date)).data).toMatchObject({ picked: date, value: date });
  expect(await stage.run("presses")).toBe(presses);
});

test.if(isFull)(
  "picking a date sets it in a calendar that redraws its buttons on each press, and closes that calendar",
  async () => {
    await stage.show(
      widget({
        language: "en",
        cell: `"<td" + (other ? " class=other" : "") + ">" + day.getDate() + "</td>"`,
        written: `day.toLocaleDateString("en-GB")`,
      }),
    );
    await stage.run(`
    const bind = (one) => {
      one.onclick = null;
      one.onmousedown = () => {
        shown = new Date(shown.getFullYear(), shown.getMonth() - 1, 1);
        draw();
        const again = one.cloneNode(true);
        bind(again);
        one.replaceWith(again);
      };
    };
    bind(p);
    b.addEventListener("click", () => { c.style.display = "block"; });
    addEventListener("keydown", ({ key }) => { if (key === "Escape") c.style.display = "none"; });
    1`);
    expect((await pick(stage, "When", "2026-09-15")).data).toMatchObject({
      picked: "2026-09-15",
      value: "15/09/2026",
    });
    expect(await stage.run("c.style.display")).toBe("none");
  },
);

test.if(isFull)(
  "picking a date closes a calendar in a panel without the Escape key, because this key would close the panel",
  async () => {
    const calendar = widget({
      language: "en",
      cell: `"<td>" + day.getDate() + "</td>"`,
      written: `day.toLocaleDateString("en-GB")`,
    }).replace("</div><script>", "</div></section><script>");
    await stage.show(
      `<section style="position: fixed; inset: 0 0 0 50%"><button id="save" onclick="did.push('saved')">Save</button>${calendar}`,
    );
    // This calendar behaves like that of flatpickr with a time field: it stays open after a choice, until the
    // focus moves.
    await stage.run(`
    b.addEventListener("click", () => { c.style.display = "block"; });
    document.addEventListener("focus", ({ target }) => { if (target !== f && !c.contains(target)) c.style.display = "none"; }, true);
    addEventListener("keydown", ({ key }) => { if (key === "Escape") did.push("panel closed"); });
    1`);
    expect((await pick(stage, "When", "2026-11-15")).data).toMatchObject({ picked: "2026-11-15" });
    expect(await stage.run("c.style.display + did.join()")).toBe("none");
  },
);

test("picking a date fills all parts of a date field with several parts, even if only a text beside the parts names the field", async () => {
  const part = (name: string, least: number, most: number) =>
    `<span role="spinbutton" tabindex="0" aria-label="${name}" aria-valuemin="${least}" aria-valuemax="${most}" style="display: inline-block; width: 30px">-</span>`;
  await stage.show(`<div><span id="l" onclick="1">Born</span>
    <div>${part("month", 1, 12)}/${part("day", 1, 31)}/${part("year", 1, 9999)}</div></div>
    <script>for (const one of document.querySelectorAll("[role=spinbutton]")) one.onkeydown = ({ key }) => {
      if (!/\\d/.test(key)) return;
      one.textContent = one.textContent.replace("-", "") + key;
      one.setAttribute("aria-valuenow", Number(one.textContent)) }</script>`);
  expect((await pick(stage, "Born", "2026-12-24")).data).toMatchObject({ picked: "2026-12-24" });
  expect(await stage.run("document.querySelector('div > div').textContent")).toBe("12/24/2026");
});

test.if(isFull)(
  "a whole date that is entered into one part of a date field fills in all its parts",
  async () => {
    const part = (name: string, least: number, most: number) =>
      `<span role="spinbutton" tabindex="0" id="${name}" aria-label="${name}, " aria-labelledby="${name} l" aria-valuemin="${least}" aria-valuemax="${most}" style="display: inline-block; width: 30px">-</span>`;
    const show = () =>
      stage.show(`<form onsubmit="return false"><span id="l">Born</span>
    <div role="group" aria-labelledby="l">${part("month", 1, 12)}/${part("day", 1, 31)}/${part("year", 1, 9999)}</div><button>Save</button></form>
    <script>for (const one of document.querySelectorAll("[role=spinbutton]")) one.onkeydown = ({ key }) => {
      if (!/\\d/.test(key)) return;
      one.textContent = one.textContent.replace("-", "") + key;
      one.setAttribute("aria-valuenow", Number(one.textContent)) }</script>`);
    const shown = () => stage.run("document.querySelector('[role=group]').textContent");
    const data = await show();
    const { highlight_index: index } = called(data, "month, Born");
    const outcome = await stage.act("input", { index, text: "2026-12-24" });
    expect(outcome.data).toMatchObject({ picked: "2026-12-24", value: "2026-12-24" });
    expect(await shown()).toBe("12/24/2026");
    await show();
    const filled = await stage.act("fill_form", {
      fields: [{ label: "Born", value: "2026-11-05" }],
      submit: false,
    });
    expect([filled.success, await shown()]).toEqual([true, "11/05/2026"]);
  },
);

test.if(isFull)(
  "a date without a time sets the empty time of a field for both to midnight, and keeps a time that the field has",
  async () => {
    const part = (name: string, least: number, most: number, value = "") =>
      `<span role="spinbutton" tabindex="0" aria-label="${name}" aria-valuemin="${least}" aria-valuemax="${most}" ${value === "" ? "aria-valuetext=Empty" : `aria-valuenow=${value}`} style="display: inline-block; width: 30px">${value || "-"}</span>`;
    const show = (hour: string, minute: string) =>
      stage.show(`<div>${part("month", 1, 12)}/${part("day", 1, 31)}/${part("year", 1, 9999)} ${part("hour", 1, 12, hour)}:${part("minute", 0, 59, minute)}:${part("second", 0, 59, minute)}
    <span role="spinbutton" tabindex="0" aria-label="AM/PM" aria-valuemin="0" aria-valuemax="1" aria-valuetext="Empty">AM</span></div>
    <script>for (const one of document.querySelectorAll("[role=spinbutton]")) one.onkeydown = ({ key }) => {
      if (/[ap]/.test(key)) one.textContent = key.toUpperCase() + "M";
      if (!/\\d/.test(key)) return;
      one.textContent = one.textContent.replace("-", "") + key;
      one.setAttribute("aria-valuenow", Number(one.textContent)) }</script>`);
    const shown = async () =>
      String(await stage.run("document.querySelector('div').textContent.replace(/\\s+/g, ' ')"));
    const enter = async (hour: string, minute: string) => {
      const { highlight_index: index } = called(await show(hour, minute), "month");
      return (await stage.act("input", { index, text: "2026-12-24" })).data;
    };
    expect(await enter("", "")).toMatchObject({ picked: "2026-12-24", picked_time: "00:00" });
    expect(await shown()).toBe("12/24/2026 12:00:00 AM");
    expect((await enter("9", "30")).picked_time).toBeUndefined();
    expect(await shown()).toBe("12/24/2026 9:30:30 AM");
  },
);

test.if(isFull)("picking a date before 1900 sets the year in the calendar's field for the year", async () => {
  await stage.show(
    widget({
      language: "en",
      cell: `"<td>" + day.getDate() + "</td>"`,
      written: `day.getFullYear() + "-" + String(day.getMonth() + 1).padStart(2, 0) + "-" + String(day.getDate()).padStart(2, 0)`,
    }),
  );
  // Flatpickr shows the year as a field for numbers.
  await stage.run(`
    t.insertAdjacentHTML("afterend", "<input type=number id=y aria-label=Year>");
    new MutationObserver(() => { y.value = shown.getFullYear() }).observe(b, { childList: true });
    y.onchange = () => { shown = new Date(Number(y.value), shown.getMonth(), 1); draw() }`);
  const { data } = await pick(stage, "When", "1867-10-31");
  expect(data).toMatchObject({ picked: "1867-10-31", value: "1867-10-31" });
});

describe("picking a time without a date", () => {
  const pickTime = async (element: string, time: string) => {
    const data = await stage.analyze();
    return await stage.act("pick_date", { index: called(data, element).highlight_index, time });
  };

  test("fills the parts for hour, minute and half of the day", async () => {
    const part = (name: string, least: number, most: number) =>
      `<span role="spinbutton" tabindex="0" aria-label="${name}" aria-valuemin="${least}" aria-valuemax="${most}" style="display: inline-block; width: 30px">-</span>`;
    await stage.show(`<div><span id="l" onclick="1">Starts</span>
      <div>${part("hour", 1, 12)}:${part("minute", 0, 59)} ${part("AM/PM", 0, 1)}</div></div>
      <script>for (const one of document.querySelectorAll("[role=spinbutton]")) { one.onkeydown = ({ key }) => {
        if (one.ariaLabel === "AM/PM") one.textContent = key === "p" ? "PM" : "AM";
        if (!/\\d/.test(key)) return;
        one.textContent = one.textContent.replace("-", "") + key;
        one.setAttribute("aria-valuenow", Number(one.textContent)) } }
        document.querySelector("[aria-label='AM/PM']").textContent = "AM"</script>`);
    expect((await pickTime("Starts", "14:30")).data).toMatchObject({ picked_time: "14:30" });
    expect(await stage.run("document.querySelector('div > div').textContent")).toBe("02:30 PM");
  });

  test.if(isFull)("types the time in the format of the field's placeholder or value", async () => {
    await stage.show(`<input aria-label="From" placeholder="hh:mm aa"><input aria-label="Until" value="09:15:00">
      <input aria-label="Closing time">`);
    expect((await pickTime("From", "14:30")).data).toMatchObject({ value: "02:30 PM" });
    expect((await pickTime("Until", "14:30")).data).toMatchObject({ value: "14:30:00" });
    expect((await pickTime("Closing time", "07:05")).data).toMatchObject({ value: "07:05" });
  });

  test.if(isFull)(
    "presses the Enter key if the field drops the time without this key, and sends no form",
    async () => {
      await stage.show(`<form onsubmit="did.push('sent'); return false"><input id="f" aria-label="Start time">
      <div id="list" style="display: none; position: absolute"></div></form><script>
      let taken = "";
      list.innerHTML = Array.from({ length: 24 }, (_, hour) => "<p>" + String(hour).padStart(2, 0) + "</p>").join("");
      f.onfocus = () => { list.style.display = "block" };
      f.onblur = () => { list.style.display = "none"; f.value = taken };
      f.onkeydown = (event) => { if (event.key === "Enter") { taken = f.value; event.preventDefault() } }</script>`);
      expect((await pickTime("Start time", "14:30")).data).toMatchObject({ value: "14:30" });
      expect(await stage.run("did.join()")).toBe("");
    },
  );

  test.if(isFull)(
    "sends no form if the field drops the text, although the page has a table whose numbers look like times",
    async () => {
      const cells = Array.from({ length: 24 }, (_, at) => `<td>${at}</td>`).join("");
      await stage.show(`<form onsubmit="did.push('sent'); return false"><input id="f" aria-label="Start time"></form>
      <table><tr>${cells}</tr></table><script>f.onblur = () => { f.value = "" }</script>`);
      expect((await pickTime("Start time", "14:30")).data).toMatchObject({ code: "not_applied" });
      expect(await stage.run("did.join()")).toBe("");
    },
  );

  test("is refused for a field that takes no time (Time zone, City)", async () => {
    await stage.show(`<input aria-label="Time zone"><input aria-label="City" value="Vienna">`);
    for (const name of ["Time zone", "City"])
      expect((await pickTime(name, "14:30")).data).toMatchObject({ code: "invalid_params" });
    expect(await stage.run("document.querySelector('[value=Vienna]').value")).toBe("Vienna");
  });
});

test.if(isFull)(
  "parts of a date field that lose a key while the page redraws them are typed again",
  async () => {
    const part = (name: string, least: number, most: number) =>
      `<span role="spinbutton" tabindex="0" aria-label="${name}" aria-valuemin="${least}" aria-valuemax="${most}" style="display: inline-block; width: 30px">-</span>`;
    await stage.show(`<div><span id="l" onclick="1">Born</span>
    <div>${part("month", 1, 12)}/${part("day", 1, 31)}/${part("year", 1, 9999)}</div></div>
    <script>let isRedrawing = true;
    for (const one of document.querySelectorAll("[role=spinbutton]")) {
      one.onpointerdown = () => { one.textContent = "\u00a0" };
      one.onkeydown = ({ key }) => {
        if (!/\\d/.test(key)) return;
        if (isRedrawing && one.textContent.trim() === "202") return void (isRedrawing = false);
        one.textContent = one.textContent.trim() + key;
        one.setAttribute("aria-valuenow", Number(one.textContent)) } }</script>`);
    expect((await pick(stage, "Born", "2026-12-24")).data).toMatchObject({ picked: "2026-12-24" });
    expect(await stage.run("document.querySelector('div > div').textContent")).toBe("12/24/2026");
  },
);

test.if(isFull)(
  "picking a date uses lists of years and months in a calendar that an icon next to the field opens",
  async () => {
    await stage.show(
      widget({
        language: "en",
        cell: `"<td>" + day.getDate() + "</td>"`,
        written: `day.getFullYear() + "/" + (day.getMonth() + 1) + "/" + day.getDate()`,
      }),
    );
    await stage.run(`
    const opens = f.onclick, box = document.createElement("div"), icon = document.createElement("i"), head = document.createElement("p");
    f.onclick = null;
    f.before(box);
    icon.textContent = "event";
    icon.style.cursor = "pointer";
    icon.onclick = opens;
    box.append(f, icon);
    head.innerHTML = "<select id=m></select><select id=y></select>";
    c.prepend(head);
    for (let at = 0; at < 12; at++) m.add(new Option("JFMAMJJASOND"[at] + at, at));
    const near = (now) => {
      y.replaceChildren();
      for (let year = now - 50; year < now + 50; year++) y.add(new Option(year, year));
      y.value = now;
    };
    near(2026);
    m.value = 10;
    m.onchange = y.onchange = () => { shown = new Date(Number(y.value), Number(m.value), 1); near(Number(y.value)); draw(); };
    1`);
    expect((await pick(stage, "When", "1928-10-11")).data).toMatchObject({
      picked: "1928-10-11",
      value: "1928/10/11",
    });
  },
);
