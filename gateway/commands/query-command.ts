/**
 * `cairn query`: queries a map and prints the answer in the form that agents receive. The map's agent
 * interface answers instructions such as `navigate_to_screen`. Query types such as `search` and `page` read
 * the stored pages.
 */
import { Refused } from "../../machines/errors.ts";
import {
  type AgentResponse,
  type QueryAnswer,
  queryTypeSchema,
} from "../../machines/knowledge/knowledge-protocol.ts";
import { instructionAliases, instructionTypes } from "../../machines/knowledge/map-instruction-types.ts";
import { questionAnswerSchema } from "../../machines/knowledge/map-question-schemas.ts";
import { type CliClient, openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import {
  atMost,
  type Command,
  type CommandContext,
  ExitCode,
  flag,
  gatewayUrl,
  integer,
  text,
} from "./cli-command-interface.ts";
import { diffLines } from "./map-diff-lines.ts";

/**
 * The query types that a user can name on the command line. `agent_query` is left out: in its place, the user
 * types an instruction such as `navigate_to_screen`.
 */
const lookups = queryTypeSchema.exclude(["agent_query"]);
const instructions: readonly string[] = [...instructionTypes, ...Object.keys(instructionAliases)];

function actionLines(answer: AgentResponse): readonly string[] {
  if (!answer.success) return [`No: ${answer.error ?? "the map has no answer"}`];
  const actions = answer.actions.flatMap(({ tool_name, parameters, description, confidence }, index) => [
    `${String(index + 1).padStart(2)}. ${description}  (${tool_name}, confidence ${confidence.toFixed(2)})`,
    `    ${JSON.stringify(parameters)}`,
  ]);
  const expected = Object.entries(answer.expected_result).map(
    ([name, value]) => `  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [
    ...(actions.length > 0 ? actions : ["No action is needed or known."]),
    ...(expected.length > 0 ? ["Expected then:", ...expected] : []),
  ];
}

/**
 * Fields of the answer to `get_screen_context` that are printed as lists, with the title of each list. Each
 * entry of a list is printed by its name or title.
 */
const CONTEXT_LISTS = {
  business_functions: "Functions",
  user_flows: "Flows",
  tasks: "Tasks",
  documentation: "Documentation",
  neighbours: "Leads to",
} as const;
const LABELS = ["name", "title"] as const;
/** Maximum number of printed entries of each list. With `--json`, all entries are printed. */
const LISTED = 12;

/** Returns the lines that describe a screen, from the answer to `get_screen_context`. */
function contextLines({ metadata }: AgentResponse): readonly string[] {
  return Object.entries(CONTEXT_LISTS).flatMap(([field, title]) => {
    const list: unknown = metadata[field];
    if (!Array.isArray(list) || list.length === 0) return [];
    const more = list.length > LISTED ? [`  … ${list.length - LISTED} more`] : [];
    return [`${title}:`, ...list.slice(0, LISTED).map((entry: unknown) => `  ${entryLine(entry)}`), ...more];
  });
}

function entryLine(entry: unknown): string {
  const fields = fieldsOf(entry);
  const [name = ""] = LABELS.flatMap((label) => (typeof fields[label] === "string" ? [fields[label]] : []));
  const { operations, steps, url } = fields;
  const parts = [operations, steps].find((value) => Array.isArray(value)) as readonly unknown[] | undefined;
  const named = parts?.map((part) => String(fieldsOf(part).name)).join(", ");
  return [String(name), named ?? (typeof url === "string" ? url : "")]
    .filter((part) => part !== "")
    .join(": ");
}

/** The name of the query that compares a map with a second map. */
const DIFF = "diff";

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function knowledgeLines(queryType: string, answer: QueryAnswer): readonly string[] {
  if (!answer.success) return [`No: ${answer.error ?? "nothing was found"}`];
  const { results, text: tree, next_cursor } = answer.data ?? {};
  if (typeof tree === "string") {
    return [tree, ...(typeof next_cursor === "string" ? [`… go on with --cursor ${next_cursor}`] : [])];
  }
  if (queryType !== "search" || !Array.isArray(results)) return [JSON.stringify(answer.data, null, 2)];
  if (results.length === 0) return ["Nothing was found."];
  return results.flatMap((hit: unknown, index) => {
    const { title, url, snippet } = fieldsOf(hit);
    return [
      `${String(index + 1).padStart(2)}. ${String(title)}`,
      `    ${String(url)}`,
      `    ${String(snippet)}`,
    ];
  });
}

const CONTEXT_OPTIONS = { "current-url": "current_url", "current-screen": "current_screen_id" } as const;

/** Answers a question in words, with the route and the sources of the answer. */
async function askInWords(
  context: CommandContext,
  operator: CliClient,
  print: (answer: unknown, lines: readonly string[]) => void,
): Promise<number> {
  const [knowledge_id = "", question = ""] = context.positionals;
  const known = Object.entries(CONTEXT_OPTIONS).flatMap(([option, field]) => {
    const value = text(context, option);
    return value === undefined ? [] : [[field, value] as const];
  });
  const params = { question, context: Object.fromEntries(known) };
  const answer = await operator.query({ query_type: "agent_query", params, knowledge_id });
  const parsed = questionAnswerSchema.safeParse(answer.data);
  if (!parsed.success) print(answer, [`No: ${answer.error ?? "the map has no answer"}`]);
  else {
    const { answer: said, route, sources } = parsed.data;
    print(answer, [
      said,
      ...(route
        ? ["", `The way to ${String(route.metadata.screen_name ?? "the screen")}:`, ...actionLines(route)]
        : []),
      ...(sources.length > 0 ? ["", "Sources:"] : []),
      ...sources.map(({ kind, title, url, id }) => `  ${kind}: ${title} (${url || id})`),
    ]);
  }
  return answer.success ? ExitCode.done : ExitCode.failed;
}

async function ask(context: CommandContext, operator: CliClient): Promise<number> {
  const [knowledgeId = "", kind = "", ...words] = context.positionals;
  const target = words.join(" ");
  const print = (answer: unknown, lines: readonly string[]): void => {
    if (flag(context, "json")) context.terminal.out(JSON.stringify(answer));
    else for (const line of lines) context.terminal.out(line);
  };
  if (instructions.includes(kind)) {
    const prefer = text(context, "prefer");
    if (prefer !== undefined && prefer !== "click" && prefer !== "url") {
      throw new Refused("usage.invalid", `--prefer takes click or url, not "${prefer}".`);
    }
    const currentUrl = text(context, "current-url");
    const currentScreen = text(context, "current-screen");
    const answer = await operator.ask(knowledgeId, {
      instruction_type: kind,
      target,
      context: {
        ...(currentUrl === undefined ? {} : { current_url: currentUrl }),
        ...(currentScreen === undefined ? {} : { current_screen_id: currentScreen }),
        ...(prefer === undefined ? {} : { prefer }),
      },
    });
    const about = kind === "get_screen_context" && answer.success ? contextLines(answer) : [];
    print(answer, [...(about.length > 0 ? about : actionLines(answer))]);
    return answer.success ? ExitCode.done : ExitCode.failed;
  }
  if (kind === DIFF) {
    const diff = await operator.diff(knowledgeId, target === "" ? undefined : target);
    print(diff, diff.since === null ? ["No earlier state of this map is known."] : diffLines(diff));
    return ExitCode.done;
  }
  if (!lookups.safeParse(kind).success) return await askInWords(context, operator, print);
  const queryType = lookups.parse(kind);
  const direction = text(context, "direction");
  const topK = integer(context, "top-k", 1);
  const limit = integer(context, "limit", 1);
  const cursor = text(context, "cursor");
  const tree = {
    format: flag(context, "json") ? "json" : "text",
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const params = {
    search: { query: target, ...(topK === undefined ? {} : { top_k: topK }) },
    page: { url: target },
    links: { url: target, ...(direction === undefined ? {} : { direction }) },
    sitemap_semantic: { ...tree, ...(target === "" ? {} : { section: target }) },
    sitemap_functional: { ...tree, ...(target === "" ? {} : { kind: target }) },
  }[queryType];
  const answer = await operator.query({ query_type: queryType, params, knowledge_id: knowledgeId });
  print(answer, knowledgeLines(queryType, answer));
  return answer.success ? ExitCode.done : ExitCode.failed;
}

export const query: Command = {
  usage: '<knowledge_id> <instruction_type> <target>, or <knowledge_id> "<question in words>"',
  description:
    `Instructions: ${instructionTypes.join(", ")}.\n` +
    `Also: ${lookups.options.join(", ")}; for example: cairn query docs search "words to find"\n` +
    'A question in words is answered with the task, the way and the passages: cairn query docs "how do I …"\n' +
    "diff takes the earlier map: cairn query new-map diff old-map; without one, the map before its last exploration.\n" +
    "sitemap_semantic takes a section of the site as its target, sitemap_functional a kind of function.",
  options: {
    "current-url": { type: "string", value: "url", description: "where the agent is now" },
    "current-screen": { type: "string", value: "id", description: "the screen it is on, when known" },
    prefer: { type: "string", value: "click|url", description: "how to follow a plain link (click)" },
    "top-k": { type: "string", value: "n", description: "results of a search (5)" },
    limit: { type: "string", value: "n", description: "lines of a site map (1000)" },
    cursor: { type: "string", value: "n", description: "where a site map goes on" },
    direction: { type: "string", value: "from|to|both", description: "which links (from)" },
    url: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    json: { type: "boolean", description: "the answer as JSON" },
  },
  async run(context) {
    const [knowledgeId, kind] = context.positionals;
    if (knowledgeId === undefined || kind === undefined) {
      throw new Refused(
        "usage.invalid",
        "A question needs a map and a kind: `cairn query <knowledge_id> search <words>`.",
      );
    }
    const isQuestion = /\s/.test(kind.trim());
    const isKnown = kind === DIFF || instructions.includes(kind) || lookups.safeParse(kind).success;
    if (!isQuestion && !isKnown) {
      const kinds = [...instructionTypes, ...lookups.options, DIFF].join(", ");
      throw new Refused("usage.invalid", `"${kind}" is not a kind of question. There are: ${kinds}.`);
    }
    if (isQuestion) atMost(context, 2);
    else if (kind !== "search") atMost(context, 3);
    const loaded = loadConfig(context.env);
    const operator = await openCliClient(loaded, { command: "query", url: gatewayUrl(context) });
    try {
      return await ask(context, operator);
    } finally {
      await operator.close();
    }
  },
};
