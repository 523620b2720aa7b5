/**
 * `cairn navigate`: answers a question from web pages and prints the results with their sources. Decisions
 * are printed as they are made.
 */
import { Refused } from "../../machines/errors.ts";
import {
  type NavigationResult,
  startNavigationSchema,
} from "../../machines/navigation/navigation-run-schemas.ts";
import { type CliClient, openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import {
  type Command,
  type CommandContext,
  ExitCode,
  flag,
  gatewayUrl,
  integer,
  recipeOf,
  text,
} from "./cli-command-interface.ts";

/** Interval at which the state of the run is polled, in milliseconds. */
const POLL_EVERY = 300;
const PREVIEW = 400;

function requestOf(context: CommandContext) {
  const [prompt, ...seeds] = context.positionals;
  if (prompt === undefined || seeds.length === 0) {
    throw new Refused("usage.invalid", `Say what to find and where to begin: navigate "<prompt>" <url> …`);
  }
  const wish = {
    prompt,
    seed_links: seeds,
    max_articles: integer(context, "max-articles", 1),
    max_depth: integer(context, "max-depth", 0),
    max_seconds: integer(context, "max-seconds", 1),
    max_llm_calls: integer(context, "max-llm-calls", 0),
    time_range_days: integer(context, "days", 1),
    render: text(context, "render"),
    run_id: text(context, "run-id"),
    knowledge_id: text(context, "knowledge-id"),
    room_name: text(context, "room"),
    login: recipeOf(text(context, "login")),
    preview: flag(context, "preview") ? true : undefined,
    respect_robots: flag(context, "no-robots") ? false : undefined,
  };
  const parsed = startNavigationSchema.safeParse(
    Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused(
    "usage.invalid",
    `${issue?.path.join(".") ?? "request"}: ${issue?.message ?? "is not valid"}`,
  );
}

async function follow(client: CliClient, runId: string, context: CommandContext): Promise<NavigationResult> {
  const json = flag(context, "json");
  let shown = 0;
  for (;;) {
    const result = await client.navigated(runId);
    for (const decision of result.decisions.slice(shown)) {
      const { depth, action, page_type, url, reasoning } = decision;
      if (json) context.terminal.out(JSON.stringify({ type: "decision", ...decision }));
      else context.terminal.err(`${"  ".repeat(depth)}${action} (${page_type}) ${url}: ${reasoning}`);
    }
    shown = result.decisions.length;
    if (result.status !== "queued" && result.status !== "running") return result;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
  }
}

function print(context: CommandContext, result: NavigationResult): void {
  const { terminal } = context;
  if (flag(context, "json")) {
    terminal.out(JSON.stringify({ type: "result", ...result }));
    return;
  }
  const { usage, articles, summary, stopped_reason, status, error } = result;
  terminal.out(
    `${status} (${stopped_reason ?? "?"}): ${articles.length} found, ${usage.pages_fetched} pages read, ` +
      `${usage.llm_calls} model calls, ${usage.seconds.toFixed(1)} s`,
  );
  if (error) terminal.out(`Why: ${error.message}`);
  for (const [index, { title, url, publish_date, author, posts, content }] of articles.entries()) {
    const facts = [publish_date, author, posts.length > 0 ? `${posts.length} posts` : null]
      .filter(Boolean)
      .join(", ");
    terminal.out(`\n${index + 1}. ${title}${facts === "" ? "" : ` (${facts})`}\n   ${url}`);
    terminal.out(`   ${previewOf(content)}`);
  }
  if (!summary || articles.length === 0) return;
  terminal.out(`\n${summary.text}`);
  for (const [index, source] of summary.sources.entries())
    terminal.out(`  [${index + 1}] ${source.title}: ${source.url}`);
}

/**
 * Returns the start of a Markdown text without its first heading, which repeats the title, and without
 * formatting marks.
 */
function previewOf(content: string): string {
  const plain = content.replace(/^#+ .*$/m, "").replace(/\*\*/g, "");
  return plain.replace(/\s+/g, " ").trim().slice(0, PREVIEW);
}

export const navigate: Command = {
  usage: '"<prompt>" <url> … [options]',
  description:
    "Visits pages from the given addresses, decides at each whether to read it, to follow its links or to stop,\n" +
    "and prints what fits the prompt with its sources. Ctrl-C cancels the run.",
  options: {
    "max-articles": { type: "string", value: "n", description: "most articles and threads (10)" },
    "max-depth": { type: "string", value: "n", description: "steps from the given addresses (3)" },
    "max-seconds": { type: "string", value: "n", description: "end after this time (60)" },
    "max-llm-calls": { type: "string", value: "n", description: "most questions to a model (15)" },
    days: { type: "string", value: "n", description: "only content of the last days (as the prompt says)" },
    render: { type: "string", value: "auto|http|browser", description: "how pages are read (auto)" },
    "run-id": { type: "string", value: "id", description: "name the run; an existing one is shown again" },
    "knowledge-id": {
      type: "string",
      value: "id",
      description: "add the pages to this map, and use what it has for the way",
    },
    room: { type: "string", value: "name", description: "read pages as this session is signed in" },
    login: {
      type: "string",
      value: "file",
      description: "a login recipe as JSON, for pages behind a sign-in",
    },
    preview: { type: "boolean", description: "only the decisions on the given addresses" },
    "no-robots": { type: "boolean", description: "do not read robots.txt: for sites of your own" },
    url: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    json: { type: "boolean", description: "decisions and result as JSON lines" },
  },
  async run(context) {
    const request = requestOf(context);
    const loaded = loadConfig(context.env);
    const client = await openCliClient(loaded, {
      command: "navigate",
      url: gatewayUrl(context),
    });
    let runId: string | undefined;
    const cancel = () => {
      if (runId !== undefined) void client.cancelNavigation(runId).catch(() => undefined);
    };
    process.once("SIGINT", cancel);
    try {
      ({ run_id: runId } = await client.navigate(request));
      const result = await follow(client, runId, context);
      print(context, result);
      if (result.status === "cancelled") return ExitCode.interrupted;
      return result.status === "completed" ? ExitCode.done : ExitCode.failed;
    } finally {
      process.off("SIGINT", cancel);
      await client.close();
    }
  },
};
