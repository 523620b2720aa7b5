/**
 * Applications from packages, and the truth of their screens as a person would count them. It was written from their
 * URL tables and templates before the first run; patterns are tried in order on path and query, followed by `~` and
 * what was pressed in the page.
 */

export interface ForeignApp {
  readonly name: string;
  /** What it is, and where it comes from. */
  readonly about: string;
  readonly port: number;
  readonly start: string;
  readonly request?: Readonly<Record<string, unknown>>;
  /** Screens and their addresses; `$1` in a screen is the first group of the pattern. */
  readonly screens: readonly (readonly [screen: string, pattern: RegExp])[];
  /** Screens that a reader reaches by links; others count only where they were found. */
  readonly expected: readonly string[];
}

export const foreignApps: readonly ForeignApp[] = [
  {
    name: "spirit",
    about: "forum (PyPI django-spirit), 48 topics, signed out",
    port: 9103,
    start: "/",
    request: { max_pages: 300, respect_robots: false },
    screens: [
      ["topics", /^\/(?:topic\/active\/)?(?:\?.*)?$/],
      ["categories", /^\/category\/$/],
      ["category", /^\/category\/\d+\//],
      ["topic", /^\/topic\/\d+\//],
      ["user-topics", /^\/user\/topics\/\d+\//],
      ["user-likes", /^\/user\/likes\/\d+\//],
      ["user-comments", /^\/user\/\d+\//],
      ["login", /^\/user\/login\//],
      ["register", /^\/user\/register\//],
      ["resend-activation", /^\/user\/resend-activation\//],
      ["password-reset", /^\/user\/password-reset\/(?:\?.*)?$/],
      ["search", /^\/search\//],
    ],
    // Corrected after the first run: signed out, users redirect to the sign-in, and nothing links to the others.
    expected: ["topics", "category", "topic", "login", "register", "resend-activation", "password-reset"],
  },
  {
    name: "oscar",
    about: "shop (PyPI django-oscar), 45 products, signed out",
    port: 9104,
    start: "/",
    request: { max_pages: 300, respect_robots: false },
    screens: [
      ["catalogue", /^\/(?:catalogue\/)?(?:\?.*)?$/],
      ["category", /^\/catalogue\/category\//],
      ["review-add", /^\/catalogue\/[^/]+_\d+\/reviews\/add\//],
      ["review", /^\/catalogue\/[^/]+_\d+\/reviews\/\d+\//],
      ["reviews", /^\/catalogue\/[^/]+_\d+\/reviews\//],
      ["product", /^\/catalogue\/[^/]+_\d+\//],
      ["basket", /^\/basket\//],
      ["login", /^\/accounts\/login\//],
      ["password-reset", /^\/password-reset\//],
      ["offers", /^\/offers\//],
      ["search", /^\/search\//],
    ],
    expected: [
      "catalogue",
      "category",
      "review-add",
      "review",
      "reviews",
      "product",
      "basket",
      "login",
      "password-reset",
      "offers",
    ],
  },
  {
    name: "dokuwiki",
    about: "wiki (Debian dokuwiki), 40 pages, signed out",
    port: 9102,
    start: "/doku.php",
    request: { max_pages: 400, respect_robots: false },
    screens: [
      [
        "$1",
        /[?&]do=(edit|revisions|diff|backlink|recent|media|index|login|register|resendpwd|search|export_\w+)/,
      ],
      // Corrected after the first run: `idx` opens the index, too (inc/actions).
      ["index", /[?&]idx=/],
      ["media-detail", /^\/lib\/exe\/detail\.php/],
      ["media-manager", /^\/lib\/exe\/mediamanager\.php/],
      ["page", /^\/(?:doku\.php)?(?:\/[^?]*)?(?:\?.*)?$/],
    ],
    expected: ["page", "edit", "revisions", "backlink", "recent", "media", "index", "login"],
  },
  {
    name: "mediawiki",
    about: "wiki (Debian mediawiki), 20 pages, signed out",
    port: 9101,
    start: "/index.php/Main_Page",
    request: { max_pages: 500, respect_robots: false },
    screens: [
      ["$1", /[?&]action=(edit|history|info|raw|render)\b/],
      ["diff", /[?&]diff=/],
      ["special-$1", /(?:title=|\/)Special:([A-Za-z]+)/],
      ["category", /(?:title=|\/)Category:/],
      ["file", /(?:title=|\/)File:/],
      ["page", /^\/(?:index\.php)?/],
    ],
    expected: [
      "page",
      "edit",
      "history",
      "info",
      "diff",
      "category",
      "special-RecentChanges",
      "special-SpecialPages",
      "special-WhatLinksHere",
      "special-UserLogin",
      "special-CreateAccount",
      "special-AllPages",
    ],
  },
  {
    name: "datasette",
    about: "database browser (PyPI datasette), four tables",
    port: 9105,
    start: "/",
    request: { max_pages: 300, respect_robots: false },
    screens: [
      ["home", /^\/(?:\?.*)?$/],
      ["info", /^\/-\//],
      ["query", /^\/\w+(?:\/-\/query)?\?(?:.*&)?sql=/],
      ["database", /^\/\w+(?:\?.*)?$/],
      ["row", /^\/\w+\/\w+\/[^/?]+/],
      ["table", /^\/\w+\/\w+(?:\?.*)?$/],
    ],
    expected: ["home", "database", "table", "row", "query"],
  },
  {
    name: "verdaccio",
    about: "package registry (npm verdaccio), a single-page application, six packages, signed out",
    port: 9106,
    start: "/",
    request: { mode: "interactive" },
    screens: [
      ["$1-tab", /^\/-\/web\/detail\/[^~]*~(dependencies|versions|uplinks|readme)$/],
      ["login-dialog", /~[^~]*(?:login|header-login)[^~]*$/],
      ["info-dialog", /~[^~]*(?:registry|info)[^~]*$/],
      ["settings-dialog", /~[^~]*(?:settings|language|configuration)[^~]*$/],
      ["download-menu", /~[^~]*download[^~]*$/],
      ["package", /^\/-\/web\/detail\/[^~]*$/],
      ["login", /^\/-\/web\/login/],
      ["packages", /^\/(?:\?[^~]*)?$/],
    ],
    expected: [
      "packages",
      "package",
      "dependencies-tab",
      "versions-tab",
      "uplinks-tab",
      "login-dialog",
      "info-dialog",
      "settings-dialog",
    ],
  },
];

/** The true screen of an address with what was pressed on its page. */
export function foreignLabel(app: ForeignApp, url: string, presses: readonly string[]): string | undefined {
  const { pathname, search } = new URL(url);
  const text = decodeURIComponent(pathname) + search + presses.map((press) => `~${press}`).join("");
  for (const [screen, pattern] of app.screens) {
    const found = pattern.exec(text);
    if (found) return screen.replace("$1", found[1] ?? "");
  }
  return undefined;
}
