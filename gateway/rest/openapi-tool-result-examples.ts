/**
 * Example results for OpenAPI, by the name of the tool. A test checks each example against the tool's schema.
 */

const job = {
  job_id: "docs-1",
  status: "running",
  knowledge_id: "docs.example.com",
  website_id: "docs.example.com",
};
const url = "https://docs.example.com/";
const at = "2026-05-04T09:00:00.000Z";

const click = {
  tool_name: "click",
  parameters: {
    selector: 'a[href="/orders"]',
    xpath: "/html/body/nav/a[2]",
    text: "Orders",
    fingerprint: { role: "link", name: "Orders", tag: "a", attributes: { href: "/orders" } },
  },
  description: 'Click "Orders" to go to Orders',
  confidence: 0.95,
  screen_id: "home_nd73y1i8",
};

const summary = {
  knowledge_id: "docs.example.com",
  name: "docs.example.com",
  pages: 42,
  screens: 9,
  transitions: 130,
  searchable: 42,
  documents: 1,
  websites: [{ website_id: "docs.example.com", base_url: url }],
  created_at: at,
  updated_at: at,
};

export const resultExamples: Readonly<Record<string, unknown>> = {
  start_knowledge_exploration: {
    ...job,
    status: "queued",
    message: "Job started. Use /api/knowledge/explore/status/docs-1 to check progress.",
  },
  get_exploration_status: {
    ...job,
    progress: {
      completed: 12,
      queued: 30,
      failed: 0,
      current_url: `${url}guide`,
      searchable: 12,
      skipped: 1,
      external_links: 4,
      nofollow_links: 0,
    },
    start_url: url,
    started_at: at,
    updated_at: at,
    error: null,
    interactive: null,
    traps: [],
    held_back: [],
  },
  pause_exploration: { job_id: "docs-1", status: "paused" },
  resume_exploration: { job_id: "docs-1", status: "running" },
  cancel_exploration: { job_id: "docs-1", status: "cancelled" },
  delete_exploration: { job_id: "docs-1", deleted: true },
  list_explorations: { jobs: [{ ...job, start_url: url, started_at: at }] },
  get_knowledge_results: {
    job_id: "docs-1",
    status: "completed",
    results: { pages_stored: 1, links_stored: 1, external_links_detected: 0, errors: [], traps: [] },
    pages: [{ url, title: "Docs", content: "# Docs\n\nHow to begin.", depth: 0, http_status: 200 }],
    links: [{ from: url, to: `${url}guide`, type: "internal" }],
    next_cursor: null,
  },
  query_knowledge: {
    success: true,
    data: {
      query: "begin",
      results: [{ url, title: "Docs", snippet: "How to begin.", score: 3.2 }],
    },
    error: null,
  },
  query_knowledge_for_agent: {
    success: true,
    actions: [click],
    expected_result: {
      screen_id: "orders_llv6543z",
      url_patterns: ["^https?://shop\\.example\\.com/orders$"],
      verification: { dom_contains: ["Orders"], url_matches: "^https?://shop\\.example\\.com/orders$" },
    },
    error: null,
    metadata: { screen_name: "Orders", confidence: 0.95, steps: 1 },
  },
  list_knowledge: { knowledge: [summary] },
  describe_knowledge: { ...summary, building: false },
  delete_knowledge: { knowledge_id: "docs.example.com", deleted: true },
  import_knowledge: { knowledge_id: "shop", screens: 4, actions: 20, transitions: 9 },
  list_screens: {
    screens: [
      {
        screen_id: "orders_llv6543z",
        name: "Orders",
        website_id: "shop.example.com",
        url: "https://shop.example.com/orders",
        content_type: "web_ui",
        is_actionable: true,
        url_patterns: ["^https?://shop\\.example\\.com/orders$"],
        templates: [],
        instances: 1,
        examples: [],
        state_signature: {
          required_indicators: [{ type: "dom_contains", text: "Orders" }],
          optional_indicators: [],
        },
        available_browser_use_actions: [click],
      },
    ],
    statistics: {
      web_ui_screens: 1,
      documentation_screens: 0,
      actionable_screens: 1,
      non_actionable_screens: 0,
    },
    next_cursor: null,
  },
  list_sessions: {
    sessions: [{ room_name: "demo", state: "live", url, last_used_at: at }],
    next_cursor: null,
  },
  close_browser_session: { status: "closed", room_name: "demo" },
};
