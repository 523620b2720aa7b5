/**
 * Sets of tools by what they are for, of which `CAIRN_TOOLS` chooses.
 */

/** The tools of the seeds, which every list has. */
export const seedTools = [
  "start_browser_session",
  "pause_browser_session",
  "resume_browser_session",
  "close_browser_session",
  "execute_action",
  "get_browser_context",
  "get_screen_content",
  "recover_browser_session",
  "start_knowledge_exploration",
  "get_exploration_status",
  "pause_exploration",
  "resume_exploration",
  "cancel_exploration",
  "get_knowledge_results",
  "query_knowledge",
  "query_knowledge_for_agent",
  "fill_action_gaps",
] as const;

const looking = ["analyze_page", "click_element_by_index", "screenshot", "extract"];
const core = [...looking, "wait_for_exploration", "list_knowledge"];
const sessions = [
  ...looking,
  "WebToolkit_analyzePage",
  "WebToolkit_clickElementByIndex",
  "get_console_messages",
  "get_network_log",
  "list_downloads",
  "remove_download",
  "save_as_pdf",
  "get_storage_state",
  "get_result",
  "start_recording",
  "stop_recording",
  "list_recordings",
  "get_recording",
  "delete_recording",
  "replay_recording",
];
const knowledge = [
  "wait_for_exploration",
  "list_explorations",
  "delete_exploration",
  "list_knowledge",
  "describe_knowledge",
  "delete_knowledge",
];
const operations = [
  "list_actors",
  "get_actor",
  "unpark_actor",
  "list_dead_letters",
  "replay_dead_letter",
  "discard_dead_letter",
  "list_nodes",
];

/** What each set adds; `all` is everything. */
export const toolSets = { core, sessions, knowledge, operations } satisfies Record<string, readonly string[]>;
export const toolSetNames = ["core", "sessions", "knowledge", "operations", "all"] as const;
export type ToolSet = (typeof toolSetNames)[number];
