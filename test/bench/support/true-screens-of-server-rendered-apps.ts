/**
 * Administrations whose pages a server renders, for blind tests of the grouping of pages: their true screens were
 * written down before Cairn first explored them. A comment on each application states the score of this first
 * exploration. Scores of later explorations are not blind.
 */
import type { ForeignApp } from "./labelled-third-party-app.ts";

/** Maximum number of pages that an exploration of one of these applications reads. */
const PAGES = 250;

const logIn = (url: string, user: string, password: string, success: Readonly<Record<string, string>>) => ({
  url,
  fields: [
    { selector: user, value: "ada@example.org" },
    { selector: password, value: "engine-1815" },
  ],
  success,
});

/**
 * For these applications, only the screens that an exploration has found are compared. No screen is required
 * (`expected` is empty).
 */
export const serverRenderedAdministrations: readonly ForeignApp[] = [
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.55.
    name: "wordpress",
    about:
      "content management (Debian wordpress 6.1), 24 posts, five pages, media, comments and five users, signed in as an administrator",
    port: 9180,
    start: "/wp-admin/",
    request: {
      max_pages: PAGES,
      respect_robots: false,
      mode: "links",
      exclude: ["/wp-login.php*"],
      login: logIn("http://127.0.0.1:9180/wp-login.php", "#user_login", "#user_pass", { text: "Dashboard" }),
    },
    screens: [
      ["page-edit", /^\/wp-admin\/post\.php\?(?=.*post=(?:2|3|28|29|30|31)\b).*action=edit/],
      ["media-edit", /^\/wp-admin\/post\.php\?(?=.*post=(?:32|33|34|35)\b).*action=edit/],
      ["post-edit", /^\/wp-admin\/post\.php\?.*action=edit/],
      ["page-new", /^\/wp-admin\/post-new\.php\?post_type=page/],
      ["post-new", /^\/wp-admin\/post-new\.php/],
      ["pages", /^\/wp-admin\/edit\.php\?.*post_type=page/],
      ["posts", /^\/wp-admin\/edit\.php/],
      ["tags", /^\/wp-admin\/edit-tags\.php\?.*taxonomy=post_tag/],
      ["categories", /^\/wp-admin\/edit-tags\.php/],
      ["tag-edit", /^\/wp-admin\/term\.php\?.*taxonomy=post_tag/],
      ["category-edit", /^\/wp-admin\/term\.php/],
      ["comment-edit", /^\/wp-admin\/comment\.php\?.*action=editcomment/],
      ["comment-confirm", /^\/wp-admin\/comment\.php/],
      ["media-grid", /^\/wp-admin\/upload\.php(\?mode=grid.*|\?item=\d+)?$/],
      ["media-list", /^\/wp-admin\/upload\.php\?.*/],
      ["site-health-info", /^\/wp-admin\/site-health\.php\?tab=debug/],
      ["site-health", /^\/wp-admin\/site-health\.php/],
      [
        "privacy-policyguide",
        /^\/wp-admin\/options-privacy\.php\?.*tab=policyguide|^\/wp-admin\/privacy-policy-guide\.php/,
      ],
      ["customize", /^\/wp-admin\/customize\.php/],
      ["nav-menus-locations", /^\/wp-admin\/nav-menus\.php\?.*action=locations/],
      ["theme-preview", /[?&]customize_theme=/],
      ["post", /^\/\?(?:.*&)?p=\d+/],
      ["page", /^\/\?(?:.*&)?page_id=\d+/],
      ["dashboard", /^\/wp-admin\/(index\.php)?(\?.*)?$/],
      ["admin-$1", /^\/wp-admin\/([a-z-]+)\.php/],
      ["login", /^\/wp-login\.php(\?(?!action=lost).*)?$/],
      ["lostpassword", /^\/wp-login\.php\?action=lostpassword/],
      ["search", /^\/(page\/\d+\/)?\?.*s=/],
      ["home", /^\/(page\/\d+\/)?(\?.*)?$/],
      ["category", /^\/category\//],
      ["tag", /^\/tag\//],
      ["author", /^\/author\//],
      ["archive", /^\/\d{4}\/(?:\d\d\/){0,2}(?:page\/\d+\/)?(?:\?.*)?$/],
      ["post", /^\/\d{4}\/\d\d\/[^/~]+\/.*$/],
      ["feed", /feed\/?$|\/wp-json|xmlrpc/],
      ["attachment", /^\/boat-\d+\//],
      ["page", /^\/[a-z-]+\/(\?.*)?$/],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.75.
    name: "pretalx",
    about:
      "conference planning (PyPI pretalx 2025.2) with its test event of 59 proposals, signed in as an administrator",
    port: 9181,
    start: "/orga/event/democon/",
    request: {
      max_pages: PAGES,
      respect_robots: false,
      mode: "links",
      login: logIn("http://127.0.0.1:9181/orga/login/", "input[type=email]", "input[type=password]", {
        url: "/orga/event",
      }),
    },
    screens: [
      ["event-list", /^\/orga\/event\/?(?:\?.*)?$/],
      ["event-new", /^\/orga\/event\/new\/.*(?:\?.*)?$/],
      ["event-dashboard", /^\/orga\/event\/democon\/(?:\?.*)?$/],
      ["event-history-detail", /^\/orga\/event\/democon\/history\/\d+\/(?:\?.*)?$/],
      ["event-$1", /^\/orga\/event\/democon\/(history|live|delete)\/?(?:\?.*)?$/],
      ["organiser-list", /^\/orga\/organiser\/(?:\?.*)?$/],
      ["organiser-new", /^\/orga\/organiser\/new\/?(?:\?.*)?$/],
      ["team-new", /^\/orga\/organiser\/[a-z]+\/teams\/new\/?(?:\?.*)?$/],
      ["team-delete", /^\/orga\/organiser\/[a-z]+\/teams\/\d+\/delete\/?(?:\?.*)?$/],
      ["team-edit", /^\/orga\/organiser\/[a-z]+\/teams\/\d+\/(?:edit\/?)?(?:\?.*)?$/],
      ["teams", /^\/orga\/organiser\/[a-z]+\/teams\/(?:\?.*)?$/],
      ["organiser-speakers", /^\/orga\/organiser\/[a-z]+\/speakers\/(?:\?.*)?$/],
      ["organiser-settings", /^\/orga\/organiser\/[a-z]+\/settings\/(?:\?.*)?$/],
      ["organiser-delete", /^\/orga\/organiser\/[a-z]+\/settings\/delete\/(?:\?.*)?$/],
      ["organiser", /^\/orga\/organiser\/[a-z]+\/(?:\?.*)?$/],
      ["admin", /^\/orga\/admin\/(?:\?.*)?$/],
      ["admin-update", /^\/orga\/admin\/update\/(?:\?.*)?$/],
      ["admin-users", /^\/orga\/admin\/users\/?(?:\?.*)?$/],
      ["admin-user-delete", /^\/orga\/admin\/users\/[^/]+\/delete\/?(?:\?.*)?$/],
      ["admin-user", /^\/orga\/admin\/users\/[^/]+\/?(?:\?.*)?$/],
      ["me", /^\/orga\/me\/?(?:\?.*)?$/],
      ["cfp-flow", /^\/orga\/event\/democon\/cfp\/flow\/(?:\?.*)?$/],
      ["cfp-text", /^\/orga\/event\/democon\/cfp\/(?:text)?(?:\?.*)?$/],
      ["question-remind", /^\/orga\/event\/democon\/cfp\/questions\/remind\/(?:\?.*)?$/],
      [
        "$1-new",
        /^\/orga\/event\/democon\/(?:cfp|mails|submissions|schedule|info|speakers)?\/?(questions|types|tracks|access-codes|templates|tags|rooms|info)\/new\/?(?:\?.*)?$/,
      ],
      [
        "$1-delete",
        /^\/orga\/event\/democon\/(?:cfp|mails|submissions|schedule)?\/?(questions|types|tracks|access-codes|templates|tags|rooms|info)\/[^/]+\/delete\/?(?:\?.*)?$/,
      ],
      ["access-code-send", /^\/orga\/event\/democon\/cfp\/access-codes\/[^/]+\/send(?:\?.*)?$/],
      ["question-detail", /^\/orga\/event\/democon\/cfp\/questions\/\d+\/(?:\?.*)?$/],
      [
        "$1-edit",
        /^\/orga\/event\/democon\/(?:cfp|mails|submissions|schedule)?\/?(questions|types|tracks|access-codes|templates|tags|rooms|info)\/[^/]+\/(?:edit\/?)?(?:\?.*)?$/,
      ],
      [
        "$1",
        /^\/orga\/event\/democon\/(?:cfp|mails|submissions|schedule)?\/?(questions|types|tracks|access-codes|templates|tags|rooms|info)\/?(?:\?.*)?$/,
      ],
      ["mail-compose-$1", /^\/orga\/event\/democon\/mails\/compose\/(teams|sessions|reminders)\/?(?:\?.*)?$/],
      ["mail-compose", /^\/orga\/event\/democon\/mails\/compose\/?(?:\?.*)?$/],
      ["mail-sent", /^\/orga\/event\/democon\/mails\/sent\/?(?:\?.*)?$/],
      ["mail-outbox-$1", /^\/orga\/event\/democon\/mails\/outbox\/(send|purge)(?:\?.*)?$/],
      ["mail-outbox", /^\/orga\/event\/democon\/mails\/outbox\/(?:\?.*)?$/],
      ["mail-$1", /^\/orga\/event\/democon\/mails\/\d+\/(delete|send|preview)(?:\?.*)?$/],
      ["mail", /^\/orga\/event\/democon\/mails\/\d+\/(?:\?.*)?$/],
      ["submissions", /^\/orga\/event\/democon\/submissions\/(?:\?.*)?$/],
      ["submission-new", /^\/orga\/event\/democon\/submissions\/new(?:\?.*)?$/],
      [
        "submissions-$1",
        /^\/orga\/event\/democon\/submissions\/(cards|feed|apply-pending|statistics|feedback)\/(?:\?.*)?$/,
      ],
      [
        "submission-$1",
        /^\/orga\/event\/democon\/submissions\/[A-Z0-9]{5,6}\/(submit|accept|reject|confirm|withdraw|delete|cancel|speakers|reviews|feedback|comments|history|anonymise)\/?(?:\?.*)?$/,
      ],
      [
        "submission-review-delete",
        /^\/orga\/event\/democon\/submissions\/[A-Z0-9]{5,6}\/reviews?\/delete.*(?:\?.*)?$/,
      ],
      ["submission", /^\/orga\/event\/democon\/submissions\/[A-Z0-9]{5,6}\/(?:\?.*)?$/],
      ["speaker-export", /^\/orga\/event\/democon\/speakers\/export\/(?:\?.*)?$/],
      ["speaker-$1", /^\/orga\/event\/democon\/speakers\/[A-Z0-9]{5,6}\/([a-z-]+)\/?(?:\?.*)?$/],
      ["speaker", /^\/orga\/event\/democon\/speakers\/[A-Z0-9]{5,6}\/(?:\?.*)?$/],
      ["speakers", /^\/orga\/event\/democon\/speakers\/(?:\?.*)?$/],
      [
        "reviews-$1",
        /^\/orga\/event\/democon\/reviews\/(bulk|bulk-tag|regenerate|assign|assign\/import|export)\/?(?:\?.*)?$/,
      ],
      ["reviews", /^\/orga\/event\/democon\/reviews\/(?:\?.*)?$/],
      ["settings-$1", /^\/orga\/event\/democon\/settings\/(mail|plugins|widget|review)\/?(?:\?.*)?$/],
      ["settings", /^\/orga\/event\/democon\/settings\/(?:\?.*)?$/],
      ["schedule-export", /^\/orga\/event\/democon\/schedule\/export\/(?:\?.*)?$/],
      [
        "schedule-$1",
        /^\/orga\/event\/democon\/schedule\/(release|reset|toggle|resend_mails|quick\/.*)(?:\?.*)?$/,
      ],
      ["schedule", /^\/orga\/event\/democon\/schedule\/(?:\?.*)?$/],
      ["login", /^\/orga\/(?:event\/democon\/)?login\/(?:\?.*)?$/],
      ["reset", /^\/orga\/(?:event\/democon\/)?reset\/(?:\?.*)?$/],
      ["public-landing", /^\/democon\/(?:\?.*)?$/],
      ["public-cfp", /^\/democon\/cfp(?:\?.*)?$/],
      ["public-version", /^\/democon\/schedule\/v\/[^/]+\/(?:nojs)?(?:\?.*)?$/],
      ["public-schedule", /^\/democon\/schedule\/(?:nojs)?(?:\?.*)?$/],
      ["public-changelog", /^\/democon\/schedule\/changelog\/(?:\?.*)?$/],
      ["public-talks", /^\/democon\/talk\/(?:\?.*)?$/],
      ["public-feedback", /^\/democon\/talk\/[^/]+\/feedback\/(?:\?.*)?$/],
      ["public-talk-review", /^\/democon\/talk\/review\/[^/]+(?:\?.*)?$/],
      ["public-talk", /^\/democon\/talk\/[^/]+\/(?:\?.*)?$/],
      ["public-speakers", /^\/democon\/speaker\/(?:\?.*)?$/],
      ["public-speaker", /^\/democon\/speaker\/[^/]+\/(?:\?.*)?$/],
      ["public-featured", /^\/democon\/featured\/(?:\?.*)?$/],
      ["public-submit-$1", /^\/democon\/submit\/[^/]+\/([a-z]+)\/(?:\?.*)?$/],
      ["public-submit", /^\/democon\/submit\/(?:\?.*)?$/],
      ["public-me", /^\/democon\/me\/(?:\?.*)?$/],
      ["public-me-submission", /^\/democon\/me\/submissions\/[^/]+\/(?:\?.*)?$/],
      ["public-me-$1", /^\/democon\/me\/(submissions|mails)\/(?:\?.*)?$/],
      ["public-login", /^\/democon\/login\/(?:\?.*)?$/],
      ["root", /^\/(?:\?.*)?$/],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.58.
    name: "phpmyadmin",
    about:
      "administration of a database (Debian phpmyadmin 5.2) with the tables of WordPress, signed in by its configuration",
    port: 9182,
    start: "/index.php?route=/&lang=en",
    request: { max_pages: PAGES, respect_robots: false, mode: "links" },
    screens: [
      ["$1-$2", /[?&]route=(?:\/|%2F)(server|database|table)(?:\/|%2F)([a-z-]+(?:(?:\/|%2F)[a-z-]+)*)/],
      ["browse-table", /[?&]route=(?:\/|%2F)sql/],
      ["$1", /[?&]route=(?:\/|%2F)([a-z-]+)/],
      ["home", /^\/(?:index\.php)?(?:\?.*)?$/],
      ["doc", /^\/doc\//],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.05.
    name: "flask-admin",
    about: "administration (PyPI flask-admin 2.2) of eight models, seven of them with one column",
    port: 9183,
    start: "/admin/",
    request: { max_pages: PAGES, respect_robots: false, mode: "links" },
    screens: [
      ["home", /^\/(?:admin\/)?(?:\?.*)?$/],
      ["$1-$2", /^\/admin\/([a-z]+)\/(new|edit|details)\//],
      ["$1-list", /^\/admin\/([a-z]+)\/(?:\?.*)?$/],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.93.
    name: "django-admin",
    about: "administration of Django 5.2 with nine models of two applications, signed in as an administrator",
    port: 9184,
    start: "/admin/",
    request: {
      max_pages: PAGES,
      respect_robots: false,
      mode: "links",
      login: logIn("http://127.0.0.1:9184/admin/login/", "#id_username", "#id_password", {
        text: "Site administration",
      }),
    },
    screens: [
      ["index", /^\/admin\/(?:\?.*)?$/],
      ["login", /^\/admin\/log(?:in|out)\//],
      ["password-change", /^\/admin\/password_change\//],
      ["user-password", /^\/admin\/auth\/user\/\d+\/password\//],
      ["app-index", /^\/admin\/[a-z]+\/(?:\?.*)?$/],
      ["$1-$2", /^\/admin\/[a-z]+\/([a-z]+)\/(?:\d+\/)?(add|history|delete)\//],
      ["$1-change", /^\/admin\/[a-z]+\/([a-z]+)\/\d+\/(?:change\/)?/],
      ["$1-list", /^\/admin\/[a-z]+\/([a-z]+)\/(?:\?.*)?$/],
    ],
    expected: [],
  },
];
