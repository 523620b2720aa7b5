/** Tests labelled values of a page: definition lists, tables of two columns, lines with a colon. */
import { expect, test } from "bun:test";
import { readLabelledValues } from "../../../../actors/reading/index.ts";

test("labelled values are read from definition lists, rows of two cells and lines", () => {
  const page = `<dl><dt>Number:</dt><dd>17</dd><div><dt>State</dt><dd>sent</dd></div></dl>
    <table><tr><th>Total</th><td>EUR 5</td></tr><tr><td>a</td><td>b</td><td>c</td></tr></table>
    <p><b>Ship to:</b> Vienna</p><p>It is 12:30 now.</p><p hidden>Secret: x</p>`;
  expect(readLabelledValues(page)).toEqual([
    { label: "Number", value: "17" },
    { label: "State", value: "sent" },
    { label: "Total", value: "EUR 5" },
    { label: "Ship to", value: "Vienna" },
  ]);
});
