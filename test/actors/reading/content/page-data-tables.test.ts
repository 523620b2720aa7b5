import { expect, test } from "bun:test";
import { readTables } from "../../../../actors/reading/index.ts";

test("data tables are read with every cell in its column, and layout tables are ignored", () => {
  const tables = readTables(`
    <table><caption>Prices</caption><thead><tr><th>Item</th><th>Price</th><th>Note</th></tr></thead>
      <tbody><tr><td rowspan="2">Tea</td><td>2.50</td><td>hot | cold</td></tr><tr><td colspan="2">3.00 <b>large</b></td></tr></tbody></table>
    <table role="presentation"><tr><td>menu</td><td>body</td></tr></table>
    <div hidden><table><tr><td>a</td><td>b</td></tr></table></div>
    <table><tr><td>no</td><td>header</td></tr></table>`);
  expect(tables).toEqual([
    {
      caption: "Prices",
      columns: ["Item", "Price", "Note"],
      rows: [
        ["Tea", "2.50", "hot | cold"],
        ["", "3.00 large", ""],
      ],
      left_out: 0,
    },
    { caption: null, columns: [], rows: [["no", "header"]], left_out: 0 },
  ]);
});

test("a table with a header and a form in each row is a data table, and a form in a table without a header is not", () => {
  const row = (name: string, price: string) => `<tr><td>${name}</td><td>${price}</td>
    <td><a href="/edit">edit</a><form method="post"><button>delete</button></form></td></tr>`;
  const rows = row("Tea", "2.50") + row("Milk", "1.10");
  const [bills, ...others] = readTables(`
    <table><thead><tr><th>What</th><th>Price</th><th>Actions</th></tr></thead><tbody>${rows}</tbody></table>
    <table><tr><td>Name</td><td><form><input name="q"></form></td></tr></table>`);
  expect(bills?.columns).toEqual(["What", "Price", "Actions"]);
  expect(bills?.rows.map(([what, price]) => [what, price])).toEqual([
    ["Tea", "2.50"],
    ["Milk", "1.10"],
  ]);
  expect(others).toEqual([]);
});

test("a table with a header and headings in its rows is a data table", () => {
  const html = `<table><thead><tr><th>Talk</th><th>State</th></tr></thead>
    <tbody><tr><td><h3>Tides</h3></td><td><h4>accepted</h4></td></tr></tbody></table>`;
  expect(readTables(html).map(({ columns, rows }) => ({ columns, rows }))).toEqual([
    { columns: ["Talk", "State"], rows: [["Tides", "accepted"]] },
  ]);
});
