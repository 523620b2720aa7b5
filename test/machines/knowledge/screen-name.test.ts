import { describe, expect, test } from "bun:test";
import { isOnlySite, screenName, siteParts, tidy } from "../../../machines/knowledge/screen-name.ts";

const URL_HERE = "https://a.example/shop/red-shoes.html";
const named = (title: string, common: ReadonlySet<string>, headings: string[] = []) =>
  screenName({ url: URL_HERE, title, headings }, common);

describe("a screen's name", () => {
  test("is the title without what the titles of the site share, at either end", () => {
    const suffixed = ["Orders | Acme", "Invoices | Acme", "A-Z list | Acme"];
    expect(suffixed.map((title) => named(title, siteParts(suffixed)))).toEqual([
      "Orders",
      "Invoices",
      "A-Z list",
    ]);
    const prefixed = ["Acme :: Orders", "Acme :: Invoices"];
    expect(prefixed.map((title) => named(title, siteParts(prefixed)))).toEqual(["Orders", "Invoices"]);
    const manual = [
      "3. Data model — Manual 3.1 documentation",
      "os — Files — Manual 3.1 documentation",
      "Manual 3.1 documentation",
    ];
    const common = siteParts(manual);
    expect(manual.slice(0, 2).map((title) => named(title, common))).toEqual(["3. Data model", "os — Files"]);
  });

  test("loses every part that the site puts there, also behind the first", () => {
    const titles = ["Orders | Shop | Acme", "Help | Shop | Acme", "News | Shop | Acme"];
    expect(titles.map((title) => named(title, siteParts(titles)))).toEqual(["Orders", "Help", "News"]);
  });

  test("keeps a part that only some pages share", () => {
    const titles = ["Red - Shoes", "Blue - Shoes", "Round - Hats", "Tall - Hats", "About us"];
    expect(named("Red - Shoes", siteParts(titles))).toBe("Red - Shoes");
  });

  test("of a site with one title for all pages is the first heading that says more", () => {
    const common = siteParts(["Acme", "Acme"]);
    expect(named("Acme", common, ["Acme", "Orders ¶"])).toBe("Orders");
    expect(named("Acme", common)).toBe("Acme");
    expect(isOnlySite("Acme", common)).toBe(true);
  });

  test("of a page without a title is its heading, else the words of its address, else the host", () => {
    expect(named("", new Set(), ["Red shoes"])).toBe("Red shoes");
    expect(named(" \n ", new Set())).toBe("Red shoes");
    expect(screenName({ url: "https://a.example/", title: "", headings: [] }, new Set())).toBe("a.example");
    expect(screenName({ url: "https://a.example/%E6%B3%A8", title: "", headings: [] }, new Set())).toBe("注");
    expect(screenName({ url: "https://a.example/%ZZ", title: "", headings: [] }, new Set())).toBe("%ZZ");
  });

  test("of a single page is its whole title", () => {
    expect(named("Orders | Acme", siteParts(["Orders | Acme"]))).toBe("Orders | Acme");
  });

  test("has its white space and permalink mark tidied", () => {
    expect(tidy("  Data\n model¶ ")).toBe("Data model");
    expect(tidy("C#")).toBe("C#");
    expect(tidy("Install #")).toBe("Install");
  });
});
