/** Tests the answers of a map in the form of text for language models. */
import { expect, test } from "bun:test";
import { agentText, mapsText, queryText, screensText } from "../../../machines/knowledge/map-answer-text.ts";

const click = {
  tool_name: "click",
  parameters: {
    selector: 'a[href="/two"]',
    xpath: "/html/body/a[2]",
    text: "Two",
    fingerprint: { role: "link", name: "Two", tag: "a", attributes: { href: "/two" } },
  },
  description: 'Click "Two" to go to Two',
  confidence: 0.95,
  screen_id: "home_1",
};

const expected_result = {
  screen_id: "two_2",
  url_patterns: ["^https?://a\\.test/two$"],
  verification: { dom_contains: ["Back"], url_matches: "^https?://a\\.test/two$" },
};

test("the list of maps as text states which maps are empty", () => {
  const summary = {
    knowledge_id: "docs",
    name: "docs",
    pages: 0,
    screens: 0,
    transitions: 0,
    searchable: 0,
    documents: 0,
    websites: [{ website_id: "docs", base_url: "https://docs.test/" }],
    created_at: "2026-05-04T09:00:00.000Z",
    updated_at: "2026-05-04T09:00:00.000Z",
  };
  expect(mapsText({ knowledge: [summary, { ...summary, documents: 1 }] })).toBe(
    [
      "docs: empty, no page was read | https://docs.test/",
      "docs: 0 pages, 0 screens, 0 transitions, 1 documents | https://docs.test/",
    ].join("\n"),
  );
});

test("a route as text lists its actions with the names of their elements, and how to verify each action", () => {
  const metadata = { screen_name: "Two", confidence: 0.95, path: ["home_1", "two_2"], steps: 1 };
  const answer = { success: true, actions: [click], expected_result, error: null, metadata };
  expect(agentText(answer)).toBe(
    [
      'screen two_2 "Two", confidence 0.95',
      '1. click {"selector":"a[href=\\"/two\\"]","fingerprint":{"role":"link","name":"Two","attributes":{"href":"/two"}}} (Click "Two" to go to Two)',
      'url_patterns: ["^https?://a\\\\.test/two$"]',
      'shows: "Back"',
    ].join("\n"),
  );
});

test("a recognised screen as text names its actions, and get_actions returns their parameters", () => {
  const metadata = { screen_name: "Home", confidence: 1, available_actions: [click] };
  const text = agentText({ success: true, actions: [], expected_result, error: null, metadata });
  expect(text).toContain('- Click "Two" to go to Two');
  expect(text).not.toContain("fingerprint");
});

test("a failed query as text has its code, its message and suggestions", () => {
  const metadata = { code: "screen.not_found", suggestions: [{ screen_id: "two_2" }] };
  const answer = { success: false, actions: [], expected_result: {}, error: "No such screen.", metadata };
  expect(agentText(answer)).toBe('screen.not_found: No such screen.\nsuggestions: [{"screen_id":"two_2"}]');
});

const answered = (data: Record<string, unknown>) => queryText({ success: true, data, error: null });

test("search hits, pages and links are formatted as lines of text", () => {
  const results = [
    { kind: "page", id: "p", url: "https://a.test/two", title: "Two", snippet: "The\nsecond", score: 3.2 },
  ];
  expect(answered({ query: "two", results })).toBe("Two | https://a.test/two\n  The second");
  expect(answered({ query: "two", results: [] })).toBe("No page fits.");
  const page = {
    url: "https://a.test/",
    title: "Home",
    content: "# Home",
    content_hash: "0f",
    buttons: ["Send"],
  };
  expect(answered(page)).toBe("Home | https://a.test/\n# Home\nButtons: Send");
  const links = [
    { from: "https://a.test/", to: "https://a.test/two", type: "internal", text: "Two" },
    { from: "https://b.test/", to: "https://a.test/", type: "external", text: null },
  ];
  expect(answered({ url: "https://a.test/", direction: "both", links })).toBe(
    'https://a.test/\nto /two "Two"\nfrom https://b.test/',
  );
});

test("a site map as text is a tree, and ends with the cursor for its further pages", () => {
  const screens = [{ screen_id: "two_2", title: "Two", url: "https://a.test/two", topics: [] }];
  const section = { name: "a.test", path: "https://a.test/", pages: 2, screens, children: [], more: 0 };
  expect(answered({ pages: 2, screens: 2, next_cursor: "5", sections: [section] })).toBe(
    "a.test (2 pages)\n└─ Two  /two\nnext_cursor 5",
  );
});

test("an answer of unknown shape is not formatted as text", () => {
  expect(answered({ something: 1 })).toBeUndefined();
});

test("the answer to a question as text has the answer, the call of the task, the route and other passages", () => {
  const response = { success: true, expected_result, error: null };
  const passage = { kind: "page" as const, id: "two_2", url: "https://a.test/two", score: 1 };
  const answer = 'Add a user:\n1. Click "Two" to go to Two';
  const text = answered({
    question: "How do I add a user?",
    answer,
    answered_by: "structure",
    task: { ...response, actions: [click], metadata: { task_name: "Add a user", xpath: "/html" } },
    route: { ...response, actions: [click], metadata: { screen_name: "Two", waypoints: [1, 2, 3] } },
    passages: [{ ...passage, title: "Two", snippet: "About users. ".repeat(40) }],
    sources: [],
  });
  expect(text?.split("\n")).toEqual([
    "Add a user:",
    '1. Click "Two" to go to Two',
    'Task: query_knowledge_for_agent with instruction_type: execute_task, target: "Add a user" returns its actions.',
    'Route to screen two_2 "Two":',
    expect.stringMatching(/^1\. click \{"selector":.*\} \(Click "Two" to go to Two\)$/),
    "Passages:",
    expect.stringMatching(/^Two \| https:\/\/a\.test\/two \| About users\..{100,150}…$/),
  ]);
});

test("the list of screens as text has one short line for each screen, without the origin of the site", () => {
  const actions = Array.from({ length: 12 }, (_, at) => ({
    ...click,
    description: `Click "${at}" to ${"go to a screen ".repeat(9)}`,
  }));
  const screen = {
    screen_id: "two_2",
    name: "Two",
    website_id: "a.test",
    url: "https://a.test/two",
    content_type: "web_ui",
    is_actionable: true,
    url_patterns: [],
    templates: [],
    instances: 4,
    examples: [],
    state_signature: { required_indicators: [], optional_indicators: [] },
    available_browser_use_actions: actions,
  };
  const statistics = {
    web_ui_screens: 1,
    documentation_screens: 0,
    actionable_screens: 1,
    non_actionable_screens: 0,
  };
  const [head, line, ...rest] = screensText({ screens: [screen], statistics, next_cursor: null }).split("\n");
  expect(head).toBe("1 screens to act on, 0 others | https://a.test");
  expect(line).toStartWith("two_2 | Two | /two | 4 instances | Click");
  expect(line).toEndWith("; and 9 more");
  expect(line?.length).toBeLessThan(200);
  expect(rest).toEqual([]);
});
