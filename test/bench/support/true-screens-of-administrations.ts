/**
 * Administrations and single-page applications for blind tests of the grouping of pages: their true screens were
 * written down from their routes before Cairn first explored them. A comment on each application states the score
 * of this first exploration. Scores of later explorations are not blind.
 */
import type { ForeignApp } from "./labelled-third-party-app.ts";

/** Maximum number of pages that an exploration of one of these applications reads. */
const PAGES = 150;

/**
 * For these applications, only the screens that an exploration has found are compared. No screen is required
 * (`expected` is empty).
 */
export const administrationApps: readonly ForeignApp[] = [
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.32.
    name: "signalk",
    about:
      "boat server (npm signalk-server 2.23) with its sample data: a single-page administration beside a manual, signed in",
    port: 9170,
    start: "/admin/",
    request: {
      max_pages: PAGES,
      respect_robots: false,
      render: "browser",
      mode: "links",
      login: {
        url: "http://127.0.0.1:9170/admin/#/login",
        fields: [
          { label: "Username", value: "ada" },
          { label: "Password", value: "engine-1815" },
        ],
        success: { text: "Logout" },
      },
    },
    screens: [
      ["dashboard", /^\/admin\/(?:index\.html)?(?:#\/?(?:dashboard)?)?$/],
      ["appstore", /^\/admin\/.*#\/appstore/],
      ["plugins", /^\/admin\/.*#\/serverConfiguration\/plugins\//],
      ["connections", /^\/admin\/.*#\/serverConfiguration\/connections\//],
      ["server-$1", /^\/admin\/.*#\/serverConfiguration\/(\w+)/],
      ["access-requests", /^\/admin\/.*#\/security\/access/],
      ["security-$1", /^\/admin\/.*#\/security\/(\w+)/],
      ["embedded-webapp", /^\/admin\/.*#\/e\//],
      ["$1", /^\/admin\/.*#\/(webapps|databrowser|documentation|login|register)\b/],
      ["openapi", /^\/(?:doc\/openapi|skServer\/openapi)/],
      ["doc-hierarchy", /^\/documentation\/hierarchy\.html/],
      [
        "doc-module",
        /^\/documentation\/(?:_signalk\/server-api(?:\/(?:\w+\/)?(?:index\.html)?)?|modules\.html|_signalk\/server-api\/[a-z]+\.html|_signalk\/\w[\w-]*\.html|modules\/.*)(?:#.*)?$/,
      ],
      ["doc-entry", /^\/documentation\/(?:_signalk|interfaces|classes|types|functions|enums|variables)\//],
      ["doc-guide", /^\/documentation\//],
      ["webapp-$1", /^\/@?([\w-]+\/[\w-]+|[\w-]+)\//],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.51.
    name: "dagster",
    about:
      "orchestrator (PyPI dagster-webserver), a single-page application: five assets, four jobs, schedules and sensors, six runs",
    port: 9171,
    start: "/",
    request: { max_pages: PAGES, respect_robots: false, render: "browser", mode: "links" },
    screens: [
      ["timeline", /^\/(?:overview(?:\/activity(?:\/timeline)?)?)?(?:\?.*)?$/],
      ["activity-assets", /^\/overview\/activity\/assets/],
      ["jobs", /^\/(?:overview\/)?jobs\/?(?:\?.*)?$/],
      ["automation", /^\/(?:overview\/)?(?:automation|schedules|sensors)\/?(?:\?.*)?$/],
      ["backfills", /^\/overview\/backfills|^\/runs\/?\?(?:.*&)?view=backfills/],
      ["overview-resources", /^\/overview\/resources/],
      ["asset-health", /^\/overview\/asset-health/],
      ["backfill", /^\/runs\/b\//],
      ["runs-scheduled", /^\/runs\/scheduled/],
      ["run", /^\/runs\/[0-9a-f-]{30,}/],
      ["runs", /^\/runs\/?(?:\?.*)?$/],
      ["asset-$1", /^\/assets\/[^?]+\?(?:.*&)?view=(\w+)/],
      ["asset-folder", /^\/assets\/met\/?(?:\?.*)?$/],
      ["asset-overview", /^\/assets\/[^?]+/],
      ["assets", /^\/(?:assets|catalog)\/?(?:\?.*)?$/],
      ["global-lineage", /^\/asset-groups/],
      ["locations", /^\/(?:deployment\/)?locations\/?(?:\?.*)?$|^\/deployment\/?(?:\?.*)?$/],
      ["daemons", /^\/(?:deployment\/daemons|health)/],
      ["concurrency", /^\/(?:deployment\/)?concurrency/],
      ["config", /^\/(?:deployment\/)?config/],
      ["asset-group-$1", /^\/locations\/[^/]+\/asset-groups\/[^/]+\/(\w+)/],
      ["asset-group-lineage", /^\/locations\/[^/]+\/asset-groups\/[^/?]+/],
      ["job-launchpad", /^\/locations\/[^/]+\/(?:jobs|pipeline_or_job)\/[^/]+\/playground/],
      [
        "job-$1",
        /^\/locations\/[^/]+\/(?:jobs|pipeline_or_job)\/[^/]+\/(runs|partitions|backfills|lineage|launchpad)\b/,
      ],
      ["job", /^\/locations\/[^/]+\/(?:jobs|pipeline_or_job)\/[^/]+/],
      ["op", /^\/locations\/[^/]+\/ops\b/],
      // This pattern was added after the first exploration, so it is not blind: the result of the exploration was
      // known.
      ["resource-uses", /^\/locations\/[^/]+\/resources\/[^/]+\/uses/],
      // This pattern was added after the first exploration, so it is not blind: the result of the exploration was
      // known.
      ["components", /^\/locations\/[^/]+\/components\b/],
      ["$1", /^\/locations\/[^/]+\/(graph|schedule|sensor|resource)s\/[^/?]+/],
      ["location-$1", /^\/locations\/[^/]+\/(\w+)\/?(?:\?.*)?$/],
      ["location", /^\/locations\/[^/]+\/?(?:\?.*)?$/],
      // This pattern was added after the first exploration, so it is not blind: the result of the exploration was
      // known.
      ["snapshot-runs", /^\/snapshots\/[^/]+\/runs/],
      ["snapshot", /^\/snapshots\//],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.71.
    name: "wagtail",
    about:
      "content management (PyPI wagtail 8): administration beside public pages, ten pages, six images, two kinds of snippets, signed in",
    port: 9172,
    start: "/admin/",
    request: {
      max_pages: PAGES,
      respect_robots: false,
      render: "browser",
      mode: "links",
      login: {
        url: "http://127.0.0.1:9172/admin/login/",
        fields: [
          { selector: "input[name=username]", value: "ada" },
          { selector: "input[name=password]", value: "engine-1815" },
        ],
        success: { selector: "#wagtail-sidebar" },
      },
    },
    screens: [
      ["dashboard", /^\/admin\/(?:\?.*)?$/],
      ["pages-search", /^\/admin\/pages\/search/],
      ["page-type-usage", /^\/admin\/pages\/usage\//],
      ["page-add", /^\/admin\/pages\/add\//],
      ["page-compare", /^\/admin\/pages\/\d+\/revisions\/compare/],
      ["page-revision-$1", /^\/admin\/pages\/\d+\/revisions\/\d+\/(\w+)/],
      ["page-move-confirm", /^\/admin\/pages\/\d+\/move\/\d+/],
      // This pattern was added after the first exploration, so it is not blind: the result of the exploration was
      // known.
      ["page-edit-preview", /^\/admin\/pages\/\d+\/edit\/preview/],
      ["page-$1", /^\/admin\/pages\/\d+\/(\w+)/],
      ["explorer", /^\/admin\/pages\/(?:\d+\/)?(?:\?.*)?$/],
      ["snippet-$1-$2", /^\/admin\/snippets\/home\/(\w+)\/(add|edit|delete|usage|history|copy)\b/],
      ["snippet-$1", /^\/admin\/snippets\/home\/(\w+)\/(?:\?.*)?$/],
      ["snippets", /^\/admin\/snippets\//],
      ["collection-$1", /^\/admin\/collections\/(?:\d+\/)?(add|delete|privacy)/],
      ["collection-edit", /^\/admin\/collections\/\d+/],
      ["task-$1", /^\/admin\/workflows\/tasks\/(\w+)/],
      ["workflow-$1", /^\/admin\/workflows\/(\w+)/],
      ["report-$1", /^\/admin\/reports\/([\w-]+)/],
      ["setting", /^\/admin\/settings\//],
      ["image-add", /^\/admin\/images\/(?:multiple\/)?add/],
      ["image-$1", /^\/admin\/images\/(?:\d+\/)?(delete|generate_url|usage)/],
      ["image-edit", /^\/admin\/images\/\d+/],
      ["document-add", /^\/admin\/documents\/(?:multiple\/)?add/],
      [
        "$1-$2",
        /^\/admin\/(document|site|user|group|redirect)s\/(new|add|edit|delete|history|usage|copy|import)/,
      ],
      ["redirect-edit", /^\/admin\/redirects\/\d+/],
      [
        "$1",
        /^\/admin\/(images|documents|sites|users|groups|redirects|collections|account|login|password_reset|forms)\/(?:\?.*)?$/,
      ],
      ["site-home", /^\/(?:\?.*)?$/],
      ["site-journal", /^\/journal\/(?:\?.*)?$/],
      ["site-post", /^\/journal\/[^/]+\//],
      ["site-search", /^\/search\//],
    ],
    expected: [],
  },
  {
    // F1 score (agreement of found and true screens) of this application's first exploration: 0.86.
    name: "prefect",
    about:
      "orchestrator (PyPI prefect 3), a single-page application: three flows with runs, three deployments, two work pools",
    port: 9173,
    start: "/v2/dashboard",
    request: { max_pages: PAGES, respect_robots: false, render: "browser", mode: "links" },
    screens: [
      ["dashboard", /^\/v2\/(?:dashboard)?\/?(?:\?.*)?$/],
      ["flow-run-$1", /^\/v2\/(?:runs|flow-runs)\/flow-run\/[^?]+\?(?:.*&)?tab=([\w-]+)/],
      ["flow-run", /^\/v2\/(?:runs|flow-runs)\/flow-run\//],
      ["task-run-$1", /^\/v2\/(?:runs|flow-runs)\/task-run\/[^?]+\?(?:.*&)?tab=([\w-]+)/],
      ["task-run", /^\/v2\/(?:runs|flow-runs)\/task-run\//],
      ["runs-task-runs", /^\/v2\/runs\/?\?(?:.*&)?tab=task-runs/],
      ["runs", /^\/v2\/(?:runs|flow-runs)\/?(?:\?.*)?$/],
      ["flow-$1", /^\/v2\/flows\/flow\/[^?]+\?(?:.*&)?tab=([\w-]+)/],
      ["flow", /^\/v2\/flows\/flow\//],
      ["flows", /^\/v2\/flows\/?(?:\?.*)?$/],
      ["deployment-$1", /^\/v2\/deployments\/deployment\/[^/]+\/(run|edit|duplicate)/],
      ["deployment-tab-$1", /^\/v2\/deployments\/deployment\/[^?]+\?(?:.*&)?tab=([\w-]+)/],
      ["deployment", /^\/v2\/deployments\/deployment\//],
      ["deployments", /^\/v2\/deployments\/?(?:\?.*)?$/],
      ["queue-$1", /^\/v2\/work-pools\/work-pool\/[^/]+\/queue\/(?:[^/]+\/)?(create|edit)/],
      ["queue", /^\/v2\/work-pools\/work-pool\/[^/]+\/queue\//],
      ["work-pool-edit", /^\/v2\/work-pools\/work-pool\/[^/]+\/edit/],
      ["work-pool-tab-$1", /^\/v2\/work-pools\/work-pool\/[^?]+\?(?:.*&)?tab=([\w-]+)/],
      ["work-pool", /^\/v2\/work-pools\/work-pool\//],
      ["work-pool-create", /^\/v2\/work-pools\/create/],
      ["work-pools", /^\/v2\/work-pools\/?(?:\?.*)?$/],
      ["block-edit", /^\/v2\/blocks\/block\/[^/]+\/edit/],
      ["block", /^\/v2\/blocks\/block\//],
      ["block-create", /^\/v2\/blocks\/catalog\/[^/]+\/create/],
      ["block-type", /^\/v2\/blocks\/catalog\/[^/]+/],
      ["block-catalog", /^\/v2\/blocks\/catalog/],
      ["blocks", /^\/v2\/blocks/],
      ["automation-create", /^\/v2\/automations\/create/],
      ["automation-edit", /^\/v2\/automations\/automation\/[^/]+\/edit/],
      ["automation", /^\/v2\/automations\/automation\//],
      ["event", /^\/v2\/events\/event\//],
      ["concurrency-limit", /^\/v2\/concurrency-limits(?:-v2)?\/concurrency-limit/],
      ["concurrency-task-run", /^\/v2\/concurrency-limits\/?\?(?:.*&)?tab=task-run/],
      ["artifact-key", /^\/v2\/artifacts\/key\//],
      ["artifact", /^\/v2\/artifacts\/artifact\//],
      [
        "$1",
        /^\/v2\/(automations|events|concurrency-limits|artifacts|variables|settings|notifications|login)/,
      ],
    ],
    expected: [],
  },
];
