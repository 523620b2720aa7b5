import { describe, expect, test } from "bun:test";
import { consequencesOf, rowTexts } from "../../../machines/walk/removal-consequences.ts";

const removal = { name: "SUMMER", kinds: ["voucher"] };

describe("what is removed along with an object, as its confirmation says,", () => {
  test.each([
    ["Delete the voucher SUMMER?"],
    ["Are you sure? This cannot be undone."],
    ["Delete 1 voucher?"],
    ["Weet u zeker dat u SUMMER wilt verwijderen?"],
  ])("is nothing for the question %p", (question) => {
    expect(consequencesOf(question, [], removal)).toBeUndefined();
  });

  test.each([
    ["Delete SUMMER? Its orders are also deleted.", "Its orders are also deleted."],
    ["Really delete SUMMER? This removes 14 orders.", "This removes 14 orders."],
    ["Really delete SUMMER? This removes 1,200 orders.", "This removes 1,200 orders."],
    [
      "SUMMER löschen? Alle zugehörigen Bestellungen verschwinden.",
      "Alle zugehörigen Bestellungen verschwinden.",
    ],
  ])("is a sentence of the question %p", (question, sentence) => {
    expect(consequencesOf(question, [], removal)).toBe(sentence);
  });

  test.each(["Room 12 Nord", "Related works"])("is not read from the object's name %p", (name) => {
    expect(consequencesOf(`Delete "${name}"?`, [], { name, kinds: ["room"] })).toBeUndefined();
  });

  test("is a number of things in the question if the rows name only the object", () => {
    const question = "The following objects will be deleted. 3 orders lose their voucher.";
    expect(consequencesOf(question, ["Voucher: SUMMER"], removal)).toBe("3 orders lose their voucher.");
  });

  test("is each row that names something else than the object and its kind", () => {
    const question = "Are you sure? All of the following related items will be deleted:";
    const rows = ["Vouchers: 1", "Orders: 2", "Voucher: SUMMER", "Order: 17"];
    expect(consequencesOf(question, rows, removal)).toBe("Orders: 2; Order: 17");
    expect(consequencesOf(question, ["Vouchers: 1", "Voucher: SUMMER"], removal)).toBeUndefined();
  });

  test("is read from the rows of the page's content, and the text of a row excludes the rows nested in it", () => {
    const list = "/html/body/main/ul";
    const texts = [
      { text: "Menu", xpath: "/html/body/nav/ul/li" },
      { text: "Voucher: SUMMER Order: 17", xpath: `${list}/li` },
      { text: "Voucher: SUMMER", xpath: `${list}/li/text()[1]` },
      { text: "Order: 17", xpath: `${list}/li/ul/li` },
    ];
    const rows = ["/html/body/nav/ul/li", `${list}/li`, `${list}/li/ul/li`];
    expect(rowTexts({ texts, rows })).toEqual(["Voucher: SUMMER", "Order: 17"]);
  });

  test("is read from 4,000 rows in a number of steps that is proportional to the number of texts", () => {
    const rows = Array.from({ length: 4_000 }, (_, at) => `/html/body/main/table/tbody/tr[${at + 1}]`);
    let compared = 0;
    const texts = rows.flatMap((row) =>
      ["One", "Two"].map((text, at) => ({
        text,
        get xpath() {
          compared += 1;
          return `${row}/td[${at + 1}]`;
        },
      })),
    );
    expect(rowTexts({ texts, rows })).toHaveLength(rows.length);
    expect(compared).toBeLessThan(10 * texts.length);
  });
});
