import { describe, expect, test } from "bun:test";
import {
  isAllowed,
  parseRobots,
  ROBOTS_ALLOW_ALL,
  robotsFor,
} from "../../../../machines/exploration/crawl/robots-txt.ts";

function allowed(robots: string, path: string, agent = "Cairn"): boolean {
  return isAllowed(robotsFor(parseRobots(robots), agent), `https://www.example.com${path}`);
}
const everyone = (rules: string): string => `User-agent: *\n${rules}\n`;

describe("RFC 9309, section 2.2.1: the user-agent line of robots.txt", () => {
  test("is compared by its product token, ignoring upper and lower case", () => {
    expect(allowed("User-agent: cAiRn\nDisallow: /", "/a")).toBe(false);
  });

  test("may occur in several groups with one token, which are merged", () => {
    const robots =
      "User-agent: Cairn\nDisallow: /a\n\nUser-agent: other\nDisallow: /b\n\nUser-agent: cairn\nDisallow: /c\n";
    expect(["/a", "/b", "/c"].map((path) => allowed(robots, path))).toEqual([false, true, false]);
  });

  test("takes precedence for its token over the group for all agents", () => {
    const robots = "User-agent: *\nDisallow: /\n\nUser-agent: Cairn\nDisallow: /private\n";
    expect(allowed(robots, "/a")).toBe(true);
    expect(allowed(robots, "/a", "Other")).toBe(false);
  });

  test("allows everything if its group has no rules", () => {
    expect(allowed("User-agent: Cairn\n", "/a")).toBe(true);
    expect(allowed("User-agent: *\nDisallow: /\nUser-agent: Cairn\nDisallow:\n", "/a")).toBe(true);
  });

  test("may share its group with other user-agent lines", () => {
    const robots = "User-agent: a\nUser-agent: Cairn\n\nDisallow: /x\n";
    expect(allowed(robots, "/x")).toBe(false);
    expect(allowed(robots, "/x", "A")).toBe(false);
  });

  test("allows everything to agents that no group names", () => {
    expect(allowed("User-agent: other\nDisallow: /", "/a")).toBe(true);
  });

  test("is compared without the text after the product token, and a longer token is another agent", () => {
    expect(allowed("User-agent: Cairn/1.0 (+https://example.com)\nDisallow: /", "/a")).toBe(false);
    expect(allowed("User-agent: CairnImages\nDisallow: /", "/a")).toBe(true);
  });

  test("must come before rules, because rules before the first user-agent line are ignored", () => {
    expect(allowed("Disallow: /a\nUser-agent: *\nDisallow: /b", "/a")).toBe(true);
  });
});

describe("RFC 9309, section 2.2.2: allow and disallow in robots.txt", () => {
  test.each([
    ["/foo/bar?baz=quz", "/foo/bar?baz=quz"],
    ["/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"],
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84"],
    ["/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz"],
    ["/foo/bar/baz", "/foo/bar/%62%61%7a"],
  ])("follow the RFC's table of encodings: %s matches %s", (pattern, path) => {
    expect(allowed(everyone(`Disallow: ${pattern}`), path)).toBe(false);
  });

  test("are decided by the longest match, in any order", () => {
    const robots = everyone("Allow: /example/page/\nDisallow: /example/page/disallowed.gif");
    expect(allowed(robots, "/example/page/disallowed.gif")).toBe(false);
    expect(allowed(robots, "/example/page/other.gif")).toBe(true);
    expect(allowed(everyone("Disallow: /folder\nAllow: /folder/page"), "/folder/page")).toBe(true);
  });

  test("allow the URL if matches of both are equally long", () => {
    expect(allowed(everyone("Disallow: /page\nAllow: /page"), "/page")).toBe(true);
    expect(allowed(everyone("Allow: /page\nDisallow: /page"), "/page")).toBe(true);
  });

  test("are prefixes of paths, and distinguish upper and lower case", () => {
    const robots = everyone("Disallow: /fish");
    expect(
      ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=1"].map((p) =>
        allowed(robots, p),
      ),
    ).toEqual(Array(5).fill(false));
    expect(["/Fish.asp", "/catfish", "/?id=fish"].map((p) => allowed(robots, p))).toEqual([true, true, true]);
  });

  test("never apply to /robots.txt itself", () => {
    expect(allowed(everyone("Disallow: /"), "/robots.txt")).toBe(true);
  });

  test("forbid nothing with an empty disallow", () => {
    expect(allowed(everyone("Disallow:"), "/a")).toBe(true);
  });

  test("decide the example in section 5.1 as the RFC does", () => {
    const robots = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

EOF`;
    expect(allowed(robots, "/a/b.gif", "x")).toBe(false);
    expect(allowed(robots, "/publications/a", "x")).toBe(true);
    expect(allowed(robots, "/example/page.html", "foobot")).toBe(true);
    expect(allowed(robots, "/other", "foobot")).toBe(false);
    expect(allowed(robots, "/example/page.html", "bazbot")).toBe(false);
    expect(allowed(robots, "/example/page.html", "quxbot")).toBe(true);
  });
});

describe("RFC 9309, section 2.2.3: special characters in rules of robots.txt", () => {
  test("include *, which matches any characters or none", () => {
    const robots = everyone("Disallow: /a/*/z\nDisallow: *.pdf");
    expect(["/a/b/z", "/a/b/c/zz", "/x.pdf", "/x.pdf?y", "/a/z"].map((p) => allowed(robots, p))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(allowed(everyone("Disallow: /a*"), "/a")).toBe(false);
  });

  test("include $, which ends the pattern", () => {
    const robots = everyone("Disallow: /*.php$");
    expect(["/a.php", "/a/b.php", "/a.php?x", "/a.php/", "/a.php5"].map((p) => allowed(robots, p))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(allowed(everyone("Disallow: /$"), "/")).toBe(false);
    expect(allowed(everyone("Disallow: /$"), "/a")).toBe(true);
    expect(allowed(everyone("Disallow: /a*a$"), "/a")).toBe(true);
  });

  test("are literal if they are encoded", () => {
    expect(allowed(everyone("Disallow: /path/file-with-a-%2A.html"), "/path/file-with-a-*.html")).toBe(false);
    expect(allowed(everyone("Disallow: /path/file-with-a-%2A.html"), "/path/file-with-a-x.html")).toBe(true);
    expect(allowed(everyone("Disallow: /path/foo-%24"), "/path/foo-$")).toBe(false);
  });

  test("include #, which starts a comment", () => {
    expect(allowed(everyone("Disallow: /a # not /b\n# Disallow: /c"), "/a")).toBe(false);
    expect(allowed(everyone("Disallow: /a # not /b\n# Disallow: /c"), "/c")).toBe(true);
  });

  test("are matched without exponential time, even with many wildcards", () => {
    const robots = everyone(`Disallow: /${"*a".repeat(2_000)}b`);
    expect(allowed(robots, `/${"a".repeat(2_000)}`)).toBe(true);
  });
});

describe("parsing a robots.txt file", () => {
  test("accepts any line ends, a byte order mark and white space", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(allowed(`\ufeffuser-AGENT :  *  ${end} disallow:\t/a ${end}`, "/a")).toBe(false);
    }
  });

  test("does not end a group at an unknown line, and reads the sitemaps", () => {
    const robots = parseRobots(
      "User-agent: Cairn\nSitemap: https://e.com/s.xml\nHost: e.com\nUser-agent: b\nDisallow: /a\n",
    );
    expect(isAllowed(robotsFor(robots, "Cairn"), "https://e.com/a")).toBe(false);
    expect(robots.sitemaps).toEqual(["https://e.com/s.xml"]);
  });

  test("assigns a crawl-delay to the group in which it stands", () => {
    const robots = parseRobots(
      "User-agent: *\nCrawl-delay: 2.5\nDisallow: /x\n\nUser-agent: slow\nCrawl-delay: 30\n",
    );
    expect(robotsFor(robots, "Cairn").crawlDelay).toBe(2.5);
    expect(robotsFor(robots, "slow").crawlDelay).toBe(30);
    expect(robotsFor(parseRobots(everyone("Crawl-delay: soon")), "Cairn").crawlDelay).toBeUndefined();
  });

  test("ignores everything after 500 KiB, including the line that crosses that limit", () => {
    const filler = `${"# filler\n".repeat(56_000)}`;
    expect(allowed(everyone(`Disallow: /a\n${filler}Disallow: /b`), "/a")).toBe(false);
    expect(allowed(everyone(`Disallow: /a\n${filler}${filler}Disallow: /b`), "/b")).toBe(true);
    const start = everyone("");
    const cutLine = `${start}#${"x".repeat(500 * 1_024 - start.length - 13)}\nDisallow: /abc`;
    expect(allowed(cutLine, "/ab")).toBe(true);
  });

  test("finds no rules in an HTML page", () => {
    expect(allowed("<!doctype html><title>Not found: Disallow: /</title>", "/a")).toBe(true);
  });

  test("allows everything if the file does not exist", () => {
    expect(isAllowed(robotsFor(ROBOTS_ALLOW_ALL, "Cairn"), "https://e.com/a")).toBe(true);
  });
});
