/**
 * What a model is told about a tool beside what the tool does: when to use it, what comes back, what to do when it fails.
 *
 * `tool-list.ts` puts `use` behind the tool's own description, or behind `instead` where that one is not for models.
 * Each word is paid for in every turn of every agent.
 */
import { actionNames } from "../../machines/session/actions.ts";

export interface Advice {
  readonly instead?: string;
  readonly use?: string;
}

const indexErrors =
  "element_stale: take one of data.candidates, or analyze_page again. element_covered: deal with what covers it.";

export const advice: Readonly<Record<string, Advice>> = {
  start_browser_session: {
    instead:
      "Start a browser for a room_name of your choice, which names it from then on; answers once initial_url has loaded.",
    use:
      "First for any work in a browser. A room that runs is left as it is, so it is safe to call again. " +
      "login: {url, fields: [{label, value | secret}], submit, success: {text | url}}, where secret is the name of one that " +
      "Cairn was given; login_failed says why.",
  },
  pause_browser_session: { use: "Acts go on." },
  close_browser_session: { use: "When the work is done." },
  recover_browser_session: {
    instead: "Bring back a session that a call says has failed; restored.lost names what was not put back.",
    use: "analyze_page after it: indices are new.",
  },
  execute_action: {
    instead: `Act in the browser: ${actionNames.join(", ")}.`,
    use:
      "params: navigate {url}, click {index}, input {index, text}, scroll {direction, amount}, wait {seconds}, " +
      "send_keys {keys}, select_dropdown {index, text}, fill_form {fields: [{label | index, value}]}; index is of " +
      `analyze_page. data.page tells what changed. ${indexErrors} no_progress: try something else.`,
  },
  get_browser_context: {
    instead: "Where the browser is: URL, title, ready state, scroll, tabs.",
  },
  get_screen_content: {
    instead: "The screen as a text summary with URL and scroll position.",
    use: "To recognise a screen (dom_summary for query_knowledge_for_agent); to act, use analyze_page.",
  },
  analyze_page: {
    instead:
      "What is on the page: segments, and everything to act on as [index]<tag>text</tag>. An index stays with its element.",
    use: "Before acting, and when the page changed: since_revision, the revision you have, tells only the change. Large page: max_tokens, query or segment.",
  },
  click_element_by_index: {
    instead: "Click the element with that index of analyze_page, never anything else.",
    use: indexErrors,
  },
  screenshot: {
    instead: "A picture of what is seen, the whole page, or one element.",
    use: "When text does not suffice.",
  },
  extract: {
    instead: "The page to read: main content as Markdown, links, tables.",
    use: "next_offset is null at the end.",
  },
  start_knowledge_exploration: {
    instead: "Walk a website and keep a map of it; answers at once with job_id and knowledge_id.",
    use: "To learn a site before acting in it; then wait_for_exploration.",
  },
  get_exploration_status: {
    instead: "How far an exploration is.",
    use: "To wait, use wait_for_exploration.",
  },
  wait_for_exploration: {
    instead: "Wait until an exploration has ended, or for wait_seconds; answers its status.",
    use: "Still running: call it again.",
  },
  pause_exploration: { instead: "Pause an exploration; it keeps its place." },
  resume_exploration: { instead: "Go on with a paused exploration." },
  cancel_exploration: { instead: "End an exploration for good; the pages it stored stay." },
  get_knowledge_results: {
    instead: "The pages of an exploration as Markdown, with their links.",
    use: "Large: give limit, then next_cursor as cursor; or use query_knowledge. job.not_finished: wait, or partial: true.",
  },
  query_knowledge: {
    instead:
      "Ask what explorations stored. query_type and params: search {query, top_k}, page {url}, " +
      "links {url, direction: from | to | both}, sitemap_semantic {section, max_depth}, sitemap_functional {kind}.",
    use: "search first, then page for a hit's url.",
  },
  query_knowledge_for_agent: {
    instead:
      "Ask a map the way, as browser actions: navigate_to_screen, find_screen (which screen is this?), get_actions (what can be done here?).",
    use:
      "target: screen, URL or words; context: {current_url, dom_summary}. Carry each action out with execute_action " +
      "(action_type: tool_name, params: parameters), then check expected_result.",
  },
  list_knowledge: { instead: "The maps there are, with their knowledge_id." },
};
