/**
 * `cairn explore`: explores a site, shows the progress, and suggests a query. Ctrl-C pauses the job and
 * prints how to continue. The job runs in an actor, so its progress is kept when the command ends.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Refused } from "../../machines/errors.ts";
import {
  type ExplorationStatus,
  jobIdSchema,
  type StartExploration,
  startExplorationSchema,
} from "../../machines/exploration/exploration-protocol.ts";
import { type CliClient, openCliClient } from "../cli-client.ts";
import { loadConfig } from "../config.ts";
import { gatewayLimits } from "../gateway-limits.ts";
import { parseArguments } from "../tools/define-tool.ts";
import {
  atMost,
  type Command,
  type CommandContext,
  ExitCode,
  flag,
  gatewayUrl,
  integer,
  recipeOf,
  text,
  texts,
} from "./cli-command-interface.ts";
import { ProgressDisplay } from "./exploration-progress-display.ts";
import { diffSummary } from "./map-diff-lines.ts";

const SHOWN_ERRORS = 5;
const SHOWN_SCREENS = 40;
/** Maximum time in milliseconds in which the command waits until the pages of a map are grouped into screens. */
const GROUPED_WITHIN = 120_000;

/**
 * Returns a signal that is aborted by the first SIGINT or SIGTERM. Later signals have no effect, because launchers
 * such as npm forward a signal to a process that has already received it.
 */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

function requestOf(context: CommandContext, url: string): StartExploration {
  return parseArguments(startExplorationSchema, {
    start_url: url,
    max_pages: integer(context, "max-pages", 1),
    max_depth: integer(context, "max-depth", 0),
    strategy: text(context, "strategy")?.toUpperCase(),
    job_id: text(context, "job-id"),
    knowledge_id: text(context, "knowledge-id"),
    respect_robots: !flag(context, "no-robots"),
    scope: text(context, "scope"),
    include: texts(context, "include"),
    exclude: texts(context, "exclude"),
    render: text(context, "render"),
    mode: text(context, "mode"),
    max_actions: integer(context, "max-actions", 1),
    max_seconds: integer(context, "max-seconds", 1),
    allow: texts(context, "allow"),
    login: recipeOf(text(context, "login")),
    role: text(context, "role"),
    sitemaps: !flag(context, "no-sitemaps"),
  });
}

/**
 * The request for a new exploration, or the id of a job to continue. The arguments are validated before a
 * store is opened or a gateway is called.
 */
type JobArguments = { readonly start: StartExploration } | { readonly resume: string };

/** The options that also apply to a job that is resumed. All others describe a new job. */
const RESUME_OPTIONS: ReadonlySet<string> = new Set(["resume", "url", "json"]);

/** Throws if an option is given that a resumed job would ignore. */
function assertResumable({ values }: CommandContext): void {
  const ignored = Object.keys(values).filter((name) => !RESUME_OPTIONS.has(name));
  if (ignored.length === 0) return;
  throw new Refused(
    "usage.invalid",
    `A resumed job keeps its options, so --resume cannot be combined with ${ignored.map((name) => `--${name}`).join(", ")}. ` +
      "Leave them out, or explore the URL again with them.",
  );
}

function wishOf(context: CommandContext): JobArguments {
  const resume = text(context, "resume");
  const [url] = context.positionals;
  if (url !== undefined && resume === undefined) return { start: requestOf(context, url) };
  if (url === undefined && resume !== undefined) {
    assertResumable(context);
    return { resume: parseArguments(jobIdSchema, resume) };
  }
  throw new Refused(
    "usage.invalid",
    "Give a URL to explore, or --resume <job_id>. See `cairn explore --help`.",
  );
}

/** Starts the new job, or resumes the given job if it is paused. Returns the id of the job. */
async function begin(wish: JobArguments, operator: CliClient): Promise<string> {
  if ("start" in wish) return (await operator.start(wish.start)).job_id;
  const { status } = await operator.status(wish.resume);
  if (status === "paused") await operator.resume(wish.resume);
  return wish.resume;
}

const ended: readonly ExplorationStatus["status"][] = ["completed", "cancelled", "failed"];

/** Shows the progress of a job until it ends or a person interrupts the command. Returns the last status. */
async function follow(
  operator: CliClient,
  jobId: string,
  progress: ProgressDisplay,
  interrupted: AbortSignal,
): Promise<ExplorationStatus> {
  for (;;) {
    const status = await operator.status(jobId);
    progress.show(status, performance.now());
    if (ended.includes(status.status) || interrupted.aborted) return status;
    // When the signal is aborted, the pause before the next status request ends early with an error. The
    // error is ignored, because the loop checks the signal.
    await pause(gatewayLimits.pollEvery, undefined, { signal: interrupted }).catch(() => undefined);
  }
}

/**
 * Pauses the job and returns its status. If the job has ended at the same moment, the returned status is its
 * final one.
 */
async function pauseAt(operator: CliClient, seen: ExplorationStatus): Promise<ExplorationStatus> {
  try {
    const { status } = await operator.pause(seen.job_id);
    return { ...seen, status };
  } catch (error) {
    const now = await operator.status(seen.job_id);
    if (ended.includes(now.status)) return now;
    throw error;
  }
}

async function conclude(
  context: CommandContext,
  operator: CliClient,
  status: ExplorationStatus,
  { seconds, interrupted }: { readonly seconds: number; readonly interrupted: AbortSignal },
): Promise<void> {
  const { terminal } = context;
  const { summary, pages } = await operator.outcome(status.job_id, 3);
  const { pages_stored, links_stored, external_links_detected, errors } = summary.results;
  // The suggested query asks for the route to a page. A route to the start page has no steps, so another page
  // is chosen if there is one.
  const page = pages[1] ?? pages[0];
  const next =
    page === undefined
      ? undefined
      : `${context.advise("query")} ${status.knowledge_id} navigate_to_screen ${page.url}`;
  if (flag(context, "json")) {
    const { knowledge_id, website_id, progress, error } = status;
    const { results } = summary;
    const state = { job_id: status.job_id, status: status.status, knowledge_id, website_id };
    terminal.out(JSON.stringify({ type: "result", ...state, progress, results, error, next: next ?? null }));
    return;
  }
  terminal.out(
    `${status.status}: ${pages_stored} pages, ${links_stored} links, ${external_links_detected} external links, ` +
      `${status.progress.failed} failed, ${seconds.toFixed(1)} s`,
  );
  if (status.error) terminal.out(`Why: ${status.error.message}`);
  for (const { url, error } of errors.slice(0, SHOWN_ERRORS)) terminal.out(`  failed: ${url}: ${error}`);
  if (errors.length > SHOWN_ERRORS) terminal.out(`  and ${errors.length - SHOWN_ERRORS} more`);
  for (const { kind, pattern, pages: read, left_out } of status.traps.slice(0, SHOWN_ERRORS)) {
    terminal.out(`  ${kind}: ${pattern}: ${read} pages read, ${left_out} left out`);
  }
  if (status.interactive) {
    const { states, actions, unsafe = 0, held = 0, reason, stopped_by, decisions = [] } = status.interactive;
    const why = stopped_by === undefined || stopped_by === "nothing_left" ? "" : `; ended by ${stopped_by}`;
    terminal.out(
      decisions.some(({ pressed }) => pressed)
        ? `${states} states found by ${actions} presses; ${unsafe} elements left alone, ${held} requests held back${why}`
        : "Nothing was pressed, because the links of all kinds of pages lead on.",
    );
    if (reason !== undefined) terminal.out(`  ${reason}`);
    // Prints the reason for each kind of page on which controls were pressed. In the mode `interactive` all
    // reasons are equal, so no reason is printed.
    const chosen = text(context, "mode") === "interactive" ? [] : decisions.filter(({ pressed }) => pressed);
    for (const { url, reason: because } of chosen.slice(0, SHOWN_ERRORS))
      terminal.out(`  pressed: ${url}: ${because}`);
  }
  for (const { message } of status.held_back) {
    terminal.out(`  ${message.replace("respect_robots: false", "--no-robots")}`);
  }
  terminal.out(`Map: ${status.knowledge_id}   Job: ${status.job_id}`);
  if (status.interactive) {
    await untilGrouped(operator, status.knowledge_id, interrupted);
    await listScreens(context, operator, status.knowledge_id);
    await showDrift(context, operator, status);
  }
  if (page !== undefined && next !== undefined) {
    terminal.out("Try next:");
    terminal.out(`  ${next}`);
    terminal.out(
      `  ${context.advise("query")} ${status.knowledge_id} search "${page.title.replaceAll('"', "")}"`,
    );
  }
}

/** Waits until the pages of the map are grouped into screens. The grouping begins when the job has ended. */
async function untilGrouped(
  operator: CliClient,
  knowledgeId: string,
  interrupted: AbortSignal,
): Promise<void> {
  const until = performance.now() + GROUPED_WITHIN;
  while (!interrupted.aborted && performance.now() < until) {
    const { building } = await operator.map(knowledgeId);
    if (!building) return;
    // When the signal is aborted, the pause before the next check ends early with an error. The error is
    // ignored, because the loop checks the signal.
    await pause(gatewayLimits.pollEvery, undefined, { signal: interrupted }).catch(() => undefined);
  }
}

/** Prints the screens of the map, and a suggested query for the route to the last of these screens. */
async function listScreens(
  { terminal, advise }: CommandContext,
  operator: CliClient,
  knowledgeId: string,
): Promise<void> {
  const { screens, statistics } = await operator.screens(knowledgeId, SHOWN_SCREENS);
  const all = statistics.web_ui_screens + statistics.documentation_screens;
  terminal.out(`Screens (${all}):`);
  for (const { name, screen_id } of screens) terminal.out(`  ${name}  ${screen_id}`);
  if (all > screens.length) terminal.out(`  and ${all - screens.length} more`);
  const last = screens.at(-1);
  if (last) terminal.out(`  ${advise("query")} ${knowledgeId} navigate_to_screen ${last.screen_id}`);
}

/** Prints what this exploration has changed on a map that already existed. */
async function showDrift(
  { terminal, advise }: CommandContext,
  operator: CliClient,
  { job_id, knowledge_id }: ExplorationStatus,
): Promise<void> {
  const diff = await operator.diff(knowledge_id);
  if (diff.since?.job_id !== job_id) return;
  terminal.out(`Compared with the map before: ${diffSummary(diff)}.`);
  if (!diff.equal) terminal.out(`  ${advise("query")} ${knowledge_id} diff`);
}

async function run(
  context: CommandContext,
  wish: JobArguments,
  operator: CliClient,
  interrupted: AbortSignal,
): Promise<number> {
  const json = flag(context, "json");
  const startedAt = performance.now();
  const jobId = await begin(wish, operator);
  if (!json) context.terminal.err(`Exploring ${operator.where}, job ${jobId}. Ctrl-C pauses it.`);
  const progress = new ProgressDisplay(context.terminal, { json });
  const seen = await follow(operator, jobId, progress, interrupted);
  progress.end();
  const status = ended.includes(seen.status) ? seen : await pauseAt(operator, seen);
  if (!ended.includes(status.status)) {
    const next = `${context.advise("explore")} --resume ${jobId}`;
    if (json)
      context.terminal.out(JSON.stringify({ type: "paused", job_id: jobId, status: status.status, next }));
    else context.terminal.err(`The job is ${status.status}; nothing is lost. To go on: ${next}`);
    return ExitCode.interrupted;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await conclude(context, operator, status, { seconds, interrupted });
  return status.status === "completed" ? ExitCode.done : ExitCode.failed;
}

export const explore: Command = {
  usage: "<url> [options] | --resume <job_id>",
  description:
    "Uses the gateway that serves the data folder when one runs, else works in this process.\n" +
    "Ctrl-C pauses the job (exit code 130); --resume goes on where it stopped.",
  options: {
    "max-pages": { type: "string", value: "n", description: "most pages to store (100)" },
    "max-depth": { type: "string", value: "n", description: "clicks from the start page (3)" },
    strategy: { type: "string", value: "BFS|DFS", description: "breadth-first or depth-first (BFS)" },
    "job-id": { type: "string", value: "id", description: "name the job" },
    "knowledge-id": { type: "string", value: "id", description: "the map to add to (named after the host)" },
    scope: { type: "string", value: "host|subdomains|path", description: "what belongs to the site (host)" },
    include: {
      type: "string",
      multiple: true,
      value: "pattern",
      description: "follow only what matches, such as '/docs/*'; may be repeated",
    },
    exclude: {
      type: "string",
      multiple: true,
      value: "pattern",
      description: "never follow what matches; may be repeated",
    },
    render: { type: "string", value: "auto|http|browser", description: "how pages are read (auto)" },
    mode: {
      type: "string",
      value: "auto|links|interactive",
      description:
        "auto presses what is safe to press where links do not lead on; interactive everywhere (auto)",
    },
    "max-actions": {
      type: "string",
      value: "n",
      description: "most presses (300)",
    },
    "max-seconds": { type: "string", value: "n", description: "time for the presses (300)" },
    allow: {
      type: "string",
      multiple: true,
      value: "class",
      description: "let presses do this, such as submit or delete; may be repeated",
    },
    login: {
      type: "string",
      value: "file",
      description: "a login recipe as JSON, for pages behind a sign-in",
    },
    role: {
      type: "string",
      value: "name",
      description: "role of the account that signs in, such as admin: the map remembers what exists for whom",
    },
    "no-sitemaps": { type: "boolean", description: "only pages that links lead to" },
    "no-robots": { type: "boolean", description: "do not read robots.txt: for sites of your own" },
    resume: { type: "string", value: "job_id", description: "go on with a paused job" },
    url: { type: "string", value: "gateway", description: "use the gateway at this URL" },
    json: { type: "boolean", description: "progress and result as JSON lines" },
  },
  async run(context) {
    atMost(context, 1);
    const wish = wishOf(context);
    const loaded = loadConfig(context.env);
    const interrupted = interruption();
    const operator = await openCliClient(loaded, {
      command: "explore",
      url: gatewayUrl(context),
    });
    try {
      return await run(context, wish, operator, interrupted);
    } finally {
      await operator.close();
    }
  },
};
