/** Tests which links switch the language of the session, so that an exploration does not follow them. */
import { describe, expect, test } from "bun:test";
import { languageSwitches } from "../../../../machines/exploration/crawl/language-switch-links.ts";

const at = (path: string) => `https://a.example${path}`;

function switches(links: readonly string[], { on = "/bills", translations = [] as readonly string[] } = {}) {
  const found = languageSwitches({
    url: at(on),
    links: links.map(at),
    translations: translations.map(at),
  });
  return [...found].map((url) => url.slice(at("").length));
}

describe("a link switches the language of the session", () => {
  // Example addresses from I Hate Money, Flask-AppBuilder, Sylius, pretalx and Spree.
  test.each([
    [["/lang/fr", "/lang/pt_BR"]],
    [["/lang/zh_Hans/"]],
    [["/switch-locale/fr_FR"]],
    [["/set-language/de?next=/bills"]],
    [["/locale/set?locale=de&next=/bills"]],
  ])("if its address sets the language: %j", (links) => {
    expect(switches(["/bills/1", ...links, "/about"])).toEqual(links);
  });

  // Example addresses from Gogs, phpMyAdmin and Plone.
  test.each([
    ["/bills", ["/bills?lang=de-DE", "/bills?lang=en-US"]],
    ["/bills?page=2", ["/bills?page=2&lang=fr"]],
    ["/bills?lang=de", ["/bills?lang=fr"]],
    ["/bills", ["/?lang=de"]],
    ["/bills", ["/bills?set_language=it"]],
  ])("if its address is %s or that of the start page with only a language added: %j", (on, links) => {
    expect(switches(["/bills/1?lang=de", ...links], { on })).toEqual(links);
  });

  // Example addresses from Kiwi TCMS and Liferay.
  test.each([
    ["/plan/new/", ["/translation-mode/?next=/plan/new/&language=eo"]],
    ["/runs/search/?plan=1", ["/translation-mode/?next=/runs/search/&language=eo"]],
    ["/web/home", ["/c/portal/update_language?redirect=%2Fweb%2Fhome&languageId=de_DE"]],
  ])("if it selects a language and returns to its page %s: %j", (on, links) => {
    expect(switches(["/plan/search/", ...links], { on })).toEqual(links);
  });
});

describe("a link does not switch the language of the session", () => {
  test.each([
    ["it leads to a page in a folder of its language", ["/de/bills", "/fr/bills", "/de/"], {}],
    ["it also selects another page", ["/about?lang=en", "/contact?lang=en"], {}],
    ["other pages are below its address", ["/lang/de", "/lang/de/help"], {}],
    ["its own page is below such an address", ["/lang/de", "/lang/en"], { on: "/lang/en/bills" }],
    ["it selects a programming language", ["/bills?lang=go", "/bills?lang=ts", "/lang/php", "/lang/sh"], {}],
    [
      "the page declares it as its translation",
      ["/bills?lang=de", "/lang/de"],
      { translations: ["/bills?lang=de", "/lang/de"] },
    ],
    ["it returns to another page", ["/display?next=/bills/7&lang=de"], {}],
    [
      "it leads to the sign-in, which returns to the page",
      ["/login?next=%2Fbills&lang=de"],
      { on: "/bills" },
    ],
    [
      "it translates the item of the page",
      ["/bills/7/translate?locale=fr&return=/bills/7"],
      { on: "/bills/7" },
    ],
    ["it lists items by language", ["/languages/de", "/bills?translated_into=de"], {}],
  ])("if %s", (_, links, page) => {
    expect(switches(links, page)).toEqual([]);
  });
});
