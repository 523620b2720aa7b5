import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Refused } from "../../../../machines/errors.ts";
import { normaliseUrl, parseStartUrl, urlKey } from "../../../../machines/exploration/crawl/normalise-url.ts";

describe("normaliseUrl (one form for equal URLs)", () => {
  const cases: [what: string, raw: string, expected: string | undefined][] = [
    [
      "scheme and host are lower-cased, the path is not",
      "HTTP://Example.COM/Path/File.HTML",
      "http://example.com/Path/File.HTML",
    ],
    ["the fragment is dropped", "http://e.com/a#b?c", "http://e.com/a"],
    [
      "an application's route behind # is kept",
      "http://e.com/a#/Orders/1?tab=b",
      "http://e.com/a#/Orders/1?tab=b",
    ],
    ["an application's route behind #! is kept", "http://e.com/#!orders", "http://e.com/#!orders"],
    ["an application's root route (#/) is dropped", "http://e.com/a#/", "http://e.com/a"],
    ["a default port is dropped", "https://e.com:443/", "https://e.com/"],
    ["the default port of the other scheme is kept", "http://e.com:443/", "http://e.com:443/"],
    ["dots are resolved", "http://e.com/a/./b/../c", "http://e.com/a/c"],
    ["a missing path becomes the root path", "http://e.com?x=1", "http://e.com/?x=1"],
    ["a trailing slash is kept", "http://e.com/a/", "http://e.com/a/"],
    [
      "tracking parameters are dropped, and other parameters keep their order and spelling",
      "http://e.com/?b=1+2&utm_source=x&a=%20&GCLID=9&fbclid=1",
      "http://e.com/?b=1+2&a=%20",
    ],
    [
      "a token against forged requests is dropped (Plone)",
      "http://e.com/folder_contents?_authenticator=796e2d19f2ff15ad12f1ff9a422cc5e3ffbe33bf",
      "http://e.com/folder_contents",
    ],
    [
      "the answer of an authorization server is dropped, and the route behind it is kept",
      "http://e.com/console/?state=367b68a0-a047&session_state=f6b79fab&tab=1&iss=http%3A%2F%2Fe.com&code=2bbc3aa1-d1d5-42b3-b0ff-04b9001e753c#/users",
      "http://e.com/console/?tab=1#/users",
    ],
    [
      "the token of a preview in WordPress's customizer is dropped with the other parameters of the preview",
      "http://e.com/category/gear/?customize_changeset_uuid=2a15a795-e8a2-4cd5-b46b-c123133cb02e&customize_messenger_channel=preview-0&paged=2",
      "http://e.com/category/gear/?paged=2",
    ],
    [
      "the token of a live preview is dropped (Craft CMS)",
      "http://e.com/news?x-craft-live-preview=8sKq2LmW0aZr4TgY&page=2",
      "http://e.com/news?page=2",
    ],
    [
      "an item with an id and a preview by number are kept",
      "http://e.com/review?changeset=2a15a795-e8a2-4cd5-b46b-c123133cb02e&p=13&preview=true",
      "http://e.com/review?changeset=2a15a795-e8a2-4cd5-b46b-c123133cb02e&p=13&preview=true",
    ],
    [
      "a short code and a state that select content are kept",
      "http://e.com/regions?code=AT-4&state=open",
      "http://e.com/regions?code=AT-4&state=open",
    ],
    [
      "keeps a long code of an item beside a state that is a word",
      "http://e.com/stock?code=SKU-2026-000123-A&state=published",
      "http://e.com/stock?code=SKU-2026-000123-A&state=published",
    ],
    [
      "a token that a form with the method GET sends is dropped (Django, Rails)",
      "http://e.com/find?csrfmiddlewaretoken=Qx7&q=boat&authenticity_token=a1",
      "http://e.com/find?q=boat",
    ],
    [
      "a query that contains only tracking parameters is dropped",
      "http://e.com/a?utm_medium=mail",
      "http://e.com/a",
    ],
    [
      "the time of a request is dropped (jQuery, Ext JS, Ghost)",
      "http://e.com/?_=1795872235356&v=1795872235357&a=1",
      "http://e.com/?a=1",
    ],
    [
      "a version and a time in seconds are kept",
      "http://e.com/?v=2.51&_=1795872235&t=1795872235357",
      "http://e.com/?v=2.51&_=1795872235&t=1795872235357",
    ],
    [
      "a parameter that only resembles a tracking parameter is kept",
      "http://e.com/?utm=1&ref=main",
      "http://e.com/?utm=1&ref=main",
    ],
    [
      "session ids are dropped from the query and the path",
      "http://e.com/a;jsessionid=0A1B?PHPSESSID=x&b=1&sid=f3a9c2e7b1&CFTOKEN=7",
      "http://e.com/a?b=1",
    ],
    [
      "a parameter that may contain a session id is kept if its value does not look like a session id",
      "http://e.com/?sid=17&s=windows10&session=morning",
      "http://e.com/?sid=17&s=windows10&session=morning",
    ],
    ["an empty query is dropped", "http://e.com/a?", "http://e.com/a"],
    ["unreserved characters are decoded", "http://e.com/%7Euser/%61-%5f", "http://e.com/~user/a-_"],
    ["reserved characters stay encoded, in upper case", "http://e.com/a%2fb%3fc", "http://e.com/a%2Fb%3Fc"],
    ["spaces and letters outside of ASCII are encoded", "http://e.com/a b/é", "http://e.com/a%20b/%C3%A9"],
    [
      "a host with characters outside of ASCII is converted to punycode",
      "http://bücher.example/",
      "http://xn--bcher-kva.example/",
    ],
    [
      "white space around and line breaks inside are tolerated",
      " \n http://e.com/a\n/b\t",
      "http://e.com/a/b",
    ],
    ["a percent sign that encodes nothing is kept", "http://e.com/100%", "http://e.com/100%"],
    ["backslashes become slashes, as in browsers", "http://e.com\\a\\b", "http://e.com/a/b"],
    ["credentials are dropped", "http://user:secret@e.com/a", "http://e.com/a"],
    ["a mailto: address is refused", "mailto:a@e.com", undefined],
    ["a javascript: address is refused", "javascript:void(0)", undefined],
    ["a relative URL without a base is refused", "a/b", undefined],
    ["a URL without a host is refused", "http://", undefined],
    ["a URL of more than 2,048 characters is refused", `http://e.com/${"a".repeat(2_048)}`, undefined],
  ];
  test.each(cases)("follows the rule: %s", (_, raw, expected) => {
    expect(normaliseUrl(raw)).toBe(expected as string);
  });

  test("resolves relative addresses against the base", () => {
    const base = "http://e.com/docs/guide/";
    expect(normaliseUrl("../api.html#x", base)).toBe("http://e.com/docs/api.html");
    expect(normaliseUrl("?page=2", base)).toBe("http://e.com/docs/guide/?page=2");
    expect(normaliseUrl("//other.com/x", base)).toBe("http://other.com/x");
    expect(normaliseUrl("#top", base)).toBe(base);
    expect(normaliseUrl("", base)).toBe(base);
  });

  test("returns a normalised URL unchanged, for random URLs", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl({ withFragments: true, withQueryParameters: true }),
          fc.string().map((s) => `http://e.com/${s}`),
        ),
        (raw) => {
          const once = normaliseUrl(raw);
          fc.pre(once !== undefined);
          expect(normaliseUrl(once)).toBe(once);
        },
      ),
    );
  });
});

describe("urlKey (one key for all variants of a URL)", () => {
  test("ignores a trailing slash", () => {
    expect(urlKey("http://e.com/a/")).toBe(urlKey("http://e.com/a"));
    expect(urlKey("http://e.com/a/?x=1")).toBe("http://e.com/a?x=1");
  });

  test("ignores the order of parameters, but not the order of values of one parameter", () => {
    expect(urlKey("http://e.com/a/?b=1&a=2")).toBe(urlKey("http://e.com/a?a=2&b=1"));
    expect(urlKey("http://e.com/?a=2&b&a=1")).toBe("http://e.com/?a=2&a=1&b");
    expect(urlKey("http://e.com/?a=1&a=2")).not.toBe(urlKey("http://e.com/?a=2&a=1"));
  });

  test("keeps the slash of the root path", () => {
    expect(urlKey("http://e.com/")).toBe("http://e.com/");
    expect(urlKey("http://e.com/?a=/")).toBe("http://e.com/?a=/");
  });

  test("gives different keys if the scheme, upper or lower case, or the query differs", () => {
    const keys = [
      "http://e.com/a",
      "https://e.com/a",
      "http://e.com/A",
      "http://e.com/a?x",
      "http://www.e.com/a",
    ].map(urlKey);
    expect(new Set(keys).size).toBe(5);
  });

  test("returns the key of a URL unchanged", () => {
    expect(urlKey(urlKey("http://e.com/a/b/"))).toBe("http://e.com/a/b");
  });
});

describe("parseStartUrl (the start URL of an exploration)", () => {
  function refusal(text: string): Refused {
    try {
      parseStartUrl(text);
    } catch (error) {
      if (error instanceof Refused) return error;
      throw error;
    }
    throw new Error(`"${text}" was accepted.`);
  }

  test("normalises a complete address", () => {
    expect(parseStartUrl(" https://Docs.Example.com/a?utm_source=x#y ")).toBe("https://docs.example.com/a");
    expect(parseStartUrl("http://localhost:8000")).toBe("http://localhost:8000/");
    expect(parseStartUrl("http://[::1]:8000/x")).toBe("http://[::1]:8000/x");
  });

  test.each([
    "example.com",
    "docs.example.com/a/b",
    "localhost:8000",
    "127.0.0.1:8080/x",
    "[::1]:80",
    "bücher.example/a",
  ])("refuses %s without a scheme and suggests the complete address", (text) => {
    const error = refusal(text);
    expect(error.code).toBe("exploration.bad_url");
    expect(error.status).toBe(400);
    expect(error.message).toContain(`https://${text}`);
  });

  test.each([
    "",
    "   ",
    "not a url",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://",
    "https://exa mple.com/",
    `http://e.com/${"a".repeat(3_000)}`,
  ])("refuses %p, which is not a URL", (text) => {
    expect(refusal(text).code).toBe("exploration.bad_url");
  });

  test("refuses an address with a password, and does not repeat the password", () => {
    const error = refusal("https://me:hunter2@example.com/");
    expect(JSON.stringify(error.toBody())).not.toContain("hunter2");
  });
});
