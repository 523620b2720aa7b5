/** Tests dates of far years in calendars with buttons for years, in a real Chromium. */
import { expect, test } from "bun:test";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const button = (label: string, by: number, inside: string): string =>
  `<button type="button" aria-label="${label}" onclick="turn(${by})">${inside}</button>`;

/**
 * The HTML that two calendar libraries write above the days: the year, the month, and the buttons that change them.
 */
const HEADS = {
  "Element Plus": `${button("Previous Year", -12, '<i class="d-arrow-left">«</i>')}${button("Previous Month", -1, '<i class="arrow-left">‹</i>')}
    <span id="year"></span><span id="month"></span>
    ${button("Next Month", 1, '<i class="arrow-right">›</i>')}${button("Next Year", 12, '<i class="d-arrow-right">»</i>')}`,
  Quasar: `${button("Previous month", -1, "<i>chevron_left</i>")}<span id="month"></span>${button("Next month", 1, "<i>chevron_right</i>")}
    ${button("Previous year", -12, "<i>chevron_left</i>")}<span id="year"></span>${button("Next year", 12, "<i>chevron_right</i>")}`,
};

/** The calendar ignores what is typed, as the field is read-only, and changes the month 20 ms after a press. */
const SCRIPT = `<script>
  let shown = new Date(2026, 10, 1), presses = 0;
  const draw = () => {
    year.textContent = shown.getFullYear();
    month.textContent = shown.toLocaleDateString("en", { month: "long" });
    const days = new Date(shown.getFullYear(), shown.getMonth() + 1, 0).getDate();
    const cells = Array.from({ length: days }, (_, at) => "<td onclick='choose(" + (at + 1) + ")'>" + (at + 1) + "</td>");
    const rows = [];
    while (cells.length > 0) rows.push("<tr>" + cells.splice(0, 7).join("") + "</tr>");
    table.innerHTML = rows.join("");
  };
  const turn = (by) => {
    presses++;
    setTimeout(() => { shown = new Date(shown.getFullYear(), shown.getMonth() + by, 1); draw(); }, 20);
  };
  const choose = (day) => {
    const pad = (number) => String(number).padStart(2, "0");
    f.value = [shown.getFullYear(), pad(shown.getMonth() + 1), pad(day)].join("-");
    box.hidden = true;
  };
  f.onclick = () => { box.hidden = false; draw(); };
</script>`;

test.each(Object.entries(HEADS).slice(0, isFull ? undefined : 1))(
  "a date in a year far away is picked by the year buttons of a calendar that is built like %s",
  async (_, head) => {
    const data = await stage.show(
      `<label>Born <input id="f" readonly></label><div id="box" hidden>${head}<table id="table"></table></div>${SCRIPT}`,
    );
    const outcome = await stage.act("pick_date", {
      index: called(data, "Born").highlight_index,
      date: "1890-03-07",
    });
    expect(outcome).toMatchObject({ success: true, data: { value: "1890-03-07" } });
    // The calendar must go back by 136 years and 8 months. Single months would need 1,640 presses.
    expect(Number(await stage.run("presses"))).toBeLessThan(160);
  },
  90_000,
);
