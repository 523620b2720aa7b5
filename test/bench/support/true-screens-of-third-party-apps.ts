/**
 * Third-party applications, each with the screens that a person would count in it, written down from its URL
 * table and templates before Cairn explored it. The first pattern that matches determines the screen of a
 * page. Patterns are compared with a text such as `/list?page=2~Filter~Open`: path and query, and then the
 * name of each pressed control after a `~`.
 */
import type { ForeignApp } from "./labelled-third-party-app.ts";
import { administrationApps } from "./true-screens-of-administrations.ts";
import { serverRenderedAdministrations } from "./true-screens-of-server-rendered-apps.ts";
import { unseenApps } from "./true-screens-of-unseen-apps.ts";

export const foreignApps: readonly ForeignApp[] = [
  {
    name: "spirit",
    about: "forum (PyPI django-spirit), 48 topics, signed out",
    port: 9103,
    start: "/",
    request: { max_pages: 300, respect_robots: false, mode: "links" },
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
    // Some screens were removed from this list after the first exploration, so it is not blind. A visitor cannot
    // reach the removed screens: no page links to them, or they need a sign-in.
    expected: ["topics", "category", "topic", "login", "register", "resend-activation", "password-reset"],
  },
  {
    name: "oscar",
    about: "shop (PyPI django-oscar), 45 products, signed out",
    port: 9104,
    start: "/",
    request: { max_pages: 300, respect_robots: false, mode: "links" },
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
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      [
        "$1",
        /[?&]do=(edit|revisions|diff|backlink|recent|media|index|login|register|resendpwd|search|export_\w+)/,
      ],
      // This line was corrected after the first exploration, so it is not blind: DokuWiki also shows its index at
      // addresses with the parameter `idx` (inc/actions).
      ["index", /[?&]idx=/],
      ["media-detail", /^\/lib\/exe\/detail\.php/],
      ["media-manager", /^\/lib\/exe\/mediamanager\.php/],
      ["page", /^\/(?:doku\.php)?(?:\/[^?]*)?(?:\?.*)?$/],
    ],
    // The sign-in page was removed from this list after a run of the bench, so the list is not blind. This wiki is
    // installed without access lists and has no such page.
    expected: ["page", "edit", "revisions", "backlink", "recent", "media", "index"],
  },
  {
    name: "mediawiki",
    about: "wiki (Debian mediawiki), 20 pages, signed out",
    port: 9101,
    start: "/index.php/Main_Page",
    request: { max_pages: 500, respect_robots: false, mode: "links" },
    screens: [
      // The next two patterns were corrected after the first exploration, so they are not blind. In MediaWiki 1.39,
      // `ApiHelp` shows the help at an address of its own, and `ApiFormatBase` shows the result of every other
      // action.
      ["api", /^\/api\.php(?:$|\?(?:.*&)?action=help\b)/],
      ["api-result", /^\/api\.php/],
      ["$1", /[?&]action=(edit|history|info|raw|render)\b/],
      ["diff", /[?&]diff=/],
      // The next two patterns were corrected after the third run, so they are not blind. In MediaWiki, all pages of
      // the class `QueryPage` without a form have one template, and so have all pages of
      // `SpecialRedirectWithAction`.
      [
        "special-report",
        /Special:(?:Ancient|Deadend|Lonely|Long|Short|(?:Uncategorized|Unused|Wanted)\w+|Most\w+|FewestRevisions|BrokenRedirects|DoubleRedirects|ListRedirects|ListDuplicatedFiles)/,
      ],
      ["special-action", /Special:(?:DeletePage|EditPage|PageHistory|PageInfo|ProtectPage|Purge)\b/],
      // Three patterns were corrected after the source of MediaWiki 1.39 was read. `Special:Version` has three
      // screens (versions, credits, license). `SpecialNewSection` has another layout than the pages of
      // `special-action`. `SpecialWithoutInterwiki` has a form, so it does not belong to `special-report`.
      ["special-Version-$1", /Special:Version\/(Credits|License)\b/],
      // The next two patterns were corrected after a later run of the bench, so they are not blind.
      // `Special:Contributions` lists the contributions of a user, and `Special:MyTalk` redirects to a talk page.
      ["special-Contributions", /Special:(?:My)?Contributions\b/],
      ["page", /Special:MyTalk\b/],
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
    request: { max_pages: 300, respect_robots: false, mode: "links" },
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
  {
    name: "punkweb",
    about: "forum (PyPI punkweb-bb), four boards, signed out",
    port: 9110,
    start: "/board/",
    request: { max_pages: 300, respect_robots: false, mode: "links" },
    screens: [
      ["index", /^\/board\/(?:\?.*)?$/],
      ["board", /^\/board\/subcategory\//],
      ["thread", /^\/board\/thread\/[^/]+\/(?:\?.*)?$/],
      ["members", /^\/board\/members\/(?:\?.*)?$/],
      ["profile", /^\/board\/members\/[^?]/],
      ["$1", /^\/board\/(signup|login|bbcode|search|settings)\//],
    ],
    expected: ["index", "board", "thread", "members", "login", "signup"],
  },
  {
    name: "pelican",
    about: "news site (PyPI pelican, its own theme), 65 articles",
    port: 9112,
    start: "/",
    request: { max_pages: 300, respect_robots: false, mode: "links" },
    screens: [
      ["index", /^\/(?:index\d*\.html)?$/],
      ["category", /^\/category\/[^/]+\.html/],
      ["author", /^\/author\/[^/]+\.html/],
      ["tag", /^\/tag\/[^/]+\.html/],
      ["page", /^\/pages\//],
      ["$1", /^\/(archives|authors|categories|tags)\.html/],
      ["article", /^\/[^/]+\.html/],
    ],
    expected: ["index", "category", "author", "article"],
  },
  {
    name: "machina",
    about: "forum (PyPI django-machina), four boards, signed out",
    port: 9107,
    start: "/forum/",
    request: { max_pages: 300, respect_robots: false, mode: "links" },
    screens: [
      ["index", /^\/forum\/(?:\?.*)?$/],
      ["topic-create", /^\/forum\/forum\/[^/]+\/topic\/create\//],
      ["post-create", /^\/forum\/forum\/[^/]+\/topic\/[^/]+\/post\/create\//],
      ["topic", /^\/forum\/forum\/[^/]+\/topic\/[^/]+\/(?:\?.*)?$/],
      ["board", /^\/forum\/forum\/[^/]+\/(?:\?.*)?$/],
      ["profile", /^\/forum\/member\/profile\/[^/]+\/(?:\?.*)?$/],
      ["posts-of-member", /^\/forum\/member\/profile\/[^/]+\/posts\//],
      ["feed", /^\/forum\/feeds\//],
      ["search", /^\/forum\/search\//],
      ["login", /^\/accounts\/login\//],
      ["admin-login", /^\/admin\//],
    ],
    expected: ["index", "board", "topic"],
  },
  {
    name: "hyperkitty",
    about: "archive of a mailing list (PyPI HyperKitty), signed out",
    port: 9108,
    start: "/hyperkitty/",
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      ["lists", /^\/hyperkitty\/(?:\?.*)?$/],
      ["month", /^\/hyperkitty\/list\/[^/]+\/(?:\d{4}\/\d+\/|latest)(?:\?.*)?$/],
      ["day", /^\/hyperkitty\/list\/[^/]+\/\d{4}\/\d+\/\d+\//],
      ["overview", /^\/hyperkitty\/list\/[^/]+\/(?:\?.*)?$/],
      ["new-message", /^\/hyperkitty\/list\/[^/]+\/message\/new/],
      ["message", /^\/hyperkitty\/list\/[^/]+\/message\/\w+\/(?:\?.*)?$/],
      ["thread", /^\/hyperkitty\/list\/[^/]+\/thread\/\w+\/(?:\?.*)?$/],
      ["part-$1", /^\/hyperkitty\/list\/[^/]+\/([a-z-]+)(?:\?.*)?$/],
      ["tags", /^\/hyperkitty\/tags\//],
      ["search", /^\/hyperkitty\/search/],
      ["users", /^\/hyperkitty\/users\/(?:\?.*)?$/],
      ["user", /^\/hyperkitty\/users\/[^/]+\//],
      ["account-$1", /^\/accounts\/([a-z-]+)\//],
    ],
    // The search results were removed from this list after the first exploration, because no link leads to them. So
    // the list is not blind: the result of the exploration was known.
    expected: ["lists", "month", "overview", "message", "thread", "account-login", "account-signup"],
  },
  {
    name: "fossil",
    about: "project site (Debian fossil): check-ins, files, wiki, tickets, as nobody",
    port: 9120,
    start: "/",
    // The addresses below `/skins` are excluded. Each of them sets a cookie that changes the style of all
    // later pages.
    request: { max_pages: 500, respect_robots: false, mode: "links", exclude: ["/skins*"] },
    screens: [
      ["timeline", /^\/timeline(?:\?.*)?$/],
      ["check-in", /^\/(?:info|ci|vinfo)\//],
      ["artifact", /^\/(?:artifact|file|hexdump)\b/],
      ["folder", /^\/(?:dir|tree)\b/],
      ["diff", /^\/(?:vdiff|fdiff)\b/],
      ["wiki-page", /^\/wiki\?(?:.*&)?name=/],
      ["home", /^\/(?:home|index)?(?:\?.*)?$/],
      ["help-of-command", /^\/help(?:\?|\/)/],
      ["documentation", /^\/doc\//],
      ["$1", /^\/([a-z_-]+)/],
    ],
    expected: [
      "timeline",
      "check-in",
      "artifact",
      "folder",
      "wiki-page",
      "home",
      "finfo",
      "brlist",
      "reportlist",
      "login",
    ],
  },
  {
    name: "trac",
    about: "issue tracker with a wiki (PyPI Trac), 25 tickets, signed out",
    port: 9121,
    start: "/wiki",
    request: { max_pages: 500, respect_robots: false, mode: "links" },
    screens: [
      [
        "$1-$2",
        /^\/(wiki|ticket)[^?]*\?(?:.*&)?action=(history|diff|edit|delete|comment-history|comment-diff)/,
      ],
      ["wiki-page", /^\/(?:wiki(?:\/.*|\?.*)?)?$/],
      ["ticket", /^\/ticket\/\d+/],
      ["report", /^\/report\/\d+/],
      ["reports", /^\/report(?:\?.*)?$/],
      ["milestone", /^\/milestone\/./],
      // This pattern was changed after a run of the bench, so it is not blind. Each panel of the preferences is a
      // screen, because it has its own address and form.
      ["prefs-$1", /^\/prefs\/(\w+)/],
      ["$1", /^\/(timeline|roadmap|query|search|about|login|prefs|browser|newticket)\b/],
    ],
    expected: [
      "wiki-page",
      "wiki-history",
      "wiki-diff",
      "ticket",
      "report",
      "reports",
      "milestone",
      "timeline",
      "roadmap",
      "query",
      "search",
      "about",
    ],
  },
  {
    name: "roundup",
    about: "issue tracker (PyPI roundup, classic template), 30 issues, signed out",
    port: 9130,
    start: "/demo/",
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      ["$1-search", /^\/demo\/(\w+)\?(?:.*&)?(?:@|%40|:)template=search/],
      ["$1-$2", /^\/demo\/([a-z]+)\?(?:.*&)?(?:@|%40|:)template=([\w-]+)/],
      // The start page uses the template of the list of issues (home.html), so both are one screen.
      ["issues", /^\/demo\/(?:(?:issue|home)(?:\?.*)?)?(?:\?.*)?$/],
      ["$1", /^\/demo\/(issue|msg|file|keyword|user|query|priority|status)\d+/],
      ["list-$1", /^\/demo\/(user|msg|file)(?:\?.*)?$/],
      // In this issue tracker, kinds of items without a list template of their own share one template
      // (_generic.index.html). Their lists are therefore one screen.
      ["list-generic", /^\/demo\/(?:keyword|query|priority|status)(?:\?.*)?$/],
    ],
    expected: ["issues", "issue", "msg", "issue-search", "user-register", "user-forgotten"],
  },
  {
    name: "cgit",
    about: "code of three repositories (Debian cgit)",
    port: 9131,
    start: "/",
    request: { max_pages: 500, respect_robots: false, mode: "links" },
    screens: [
      ["repositories", /^\/(?:\?.*)?$/],
      ["summary", /^\/\w+\/(?:\?.*)?$/],
      ["file", /^\/\w+\/tree\/[^?]*(?:\.\w+|Makefile)(?:\?.*)?$/],
      ["folder", /^\/\w+\/tree\//],
      ["$1", /^\/\w+\/(log|commit|diff|rawdiff|refs|stats|about|tag|blame|patch|plain|atom|snapshot)\b/],
    ],
    expected: [
      "repositories",
      "summary",
      "refs",
      "log",
      "folder",
      "file",
      "commit",
      "diff",
      "stats",
      "about",
      "tag",
      "blame",
    ],
  },
  {
    name: "nikola",
    about: "site with a blog, galleries and listings (PyPI nikola, its demo), 40 posts",
    port: 9132,
    start: "/",
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      ["index", /^\/(?:index(?:-\d+)?\.html)?$/],
      ["post", /^\/posts\/[^?]+\//],
      ["tags", /^\/categories\/(?:index\.html)?$/],
      // Categories and tags have the same template (tag.tmpl), so the page of a category and the page of a
      // tag are one screen.
      ["tag", /^\/categories\/[^/]+\//],
      ["year", /^\/\d{4}\/(?:index\.html)?$/],
      ["authors", /^\/authors\/(?:index\.html)?$/],
      ["author", /^\/authors\/[^/]+\//],
      ["galleries", /^\/galleries\/(?:index\.html)?$/],
      ["gallery", /^\/galleries\/.+\//],
      ["listing", /^\/listings\/.+\.html$/],
      ["listings", /^\/listings\//],
      ["page", /^\/pages\//],
      ["archive", /^\/archive\.html/],
    ],
    expected: [
      "index",
      "post",
      "tags",
      "tag",
      "year",
      "archive",
      "galleries",
      "gallery",
      "listings",
      "listing",
      "page",
    ],
  },
  {
    name: "moin",
    about: "wiki (PyPI moin 2), 25 pages, signed out",
    port: 9133,
    start: "/Home",
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      // An old revision of a page has the same template (show.html) as the newest revision, so both are one
      // screen.
      ["page", /^\/\+show\//],
      // With a page name in the address, `history` and `tags` are views of this page. Without a page name, they
      // show all pages, so they are another screen.
      ["global-$1", /^\/(?:[\w-]+\/)?\+(history|tags)\/?(?:\?.*)?$/],
      ["tagged", /^\/(?:[\w-]+\/)?\+tags\//],
      ["admin-$1", /^\/\+admin\/(?:[\w-]+\/)?([a-z_]+)/],
      ["$1", /^\/\+([a-z_]+)/],
      ["all", /^\/all$/],
      ["page", /^\/(?:[^+].*)?$/],
    ],
    // This list was corrected after the first exploration, so it is not blind. Only readers who are signed in see
    // links to the pages for registration, search and references.
    expected: ["page", "history", "index", "login", "meta", "highlight", "similar_names", "sitemap"],
  },
  {
    name: "gitweb",
    about: "code of three repositories (Debian gitweb)",
    port: 9134,
    start: "/",
    request: { max_pages: 500, respect_robots: false, mode: "links" },
    screens: [
      // This line was corrected by the source of gitweb (gitweb.cgi): `blame` and `blame_incremental` show the same
      // page, because both call `git_blame_common`.
      ["blame", /[?&;]a=blame(?:_incremental)?\b/],
      ["$1", /[?;&]a=(?!project_list|tree\b)([a-z_]+)/],
      ["folder", /[?;&]a=tree\b/],
      ["summary", /\?p=[^;&]+(?:;js=\d)?$/],
      ["projects", /^\/(?:\?.*)?$/],
    ],
    expected: [
      "projects",
      "summary",
      "log",
      "shortlog",
      "folder",
      "blob",
      "commit",
      "commitdiff",
      "heads",
      "tags",
      "history",
    ],
  },
  {
    name: "django-wiki",
    about: "wiki (PyPI wiki) with attachments and images, 23 pages, signed out with write access",
    port: 9135,
    start: "/",
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      ["accounts-$1", /^\/_accounts\/([\w-]+)/],
      ["diff", /^\/_revision\/diff\//],
      ["notifications", /^\/notifications\//],
      ["plugin-$1-$2", /\/_plugin\/(attachments|images)\/(?:\d+\/)?([a-z]+)\//],
      ["plugin-$1", /\/_plugin\/(\w+)\//],
      ["$1", /\/_([a-z-]+)\//],
      ["page", /^\//],
    ],
    expected: ["page", "edit", "history", "dir", "create", "plugin-attachments", "accounts-login"],
  },
  {
    name: "klaus",
    about: "code of three repositories (PyPI klaus)",
    port: 9136,
    start: "/",
    request: { max_pages: 400, respect_robots: false, mode: "links" },
    screens: [
      ["repositories", /^\/(?:\?.*)?$/],
      ["$1", /^\/\w+\/(blob|blame|raw|submodule|tarball)\//],
      ["patch", /^\/\w+\/commit\/[^?]*\.(?:diff|patch)/],
      ["commit", /^\/\w+\/commit\//],
      ["history", /^\/\w+\/tree\//],
      ["repository", /^\/\w+\//],
    ],
    expected: ["repositories", "repository", "history", "blob", "blame", "commit"],
  },
  {
    name: "hexo",
    about: "blog (npm hexo with its theme landscape), 50 posts",
    port: 9137,
    start: "/",
    request: { max_pages: 300, respect_robots: false, mode: "links" },
    heldOut: true,
    screens: [
      ["index", /^\/(?:page\/\d+\/)?(?:index\.html)?$/],
      ["post", /^\/\d{4}\/\d\d\/\d\d\/[^/]+\//],
      // The archives of all years, of one year and of one month use the same template (archive.ejs), so they
      // are one screen.
      ["archive", /^\/archives\//],
      ["tag", /^\/tags\/[^/]+\//],
      ["category", /^\/categories\/[^/]+\//],
      ["page", /^\/(?:about|imprint)\//],
    ],
    expected: ["index", "post", "archive", "tag", "category"],
  },
  ...unseenApps,
  ...administrationApps,
  ...serverRenderedAdministrations,
];

/**
 * Returns the name of the screen that a person sees at an address after the given controls were pressed
 * there.
 */
export function foreignLabel(app: ForeignApp, url: string, presses: readonly string[]): string | undefined {
  const { pathname, search, hash } = new URL(url);
  // A fragment such as `#/users` in `/admin/#/users` selects a page, so it is part of the address. Other fragments
  // are ignored.
  const route = /^#!?\//.test(hash) ? hash : "";
  const text = decodeURIComponent(pathname) + search + route + presses.map((press) => `~${press}`).join("");
  for (const [screen, pattern] of app.screens) {
    const found = pattern.exec(text);
    if (found) return screen.replace("$1", found[1] ?? "").replace("$2", found[2] ?? "");
  }
  return undefined;
}
