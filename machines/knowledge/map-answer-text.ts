/** Formats the answers of maps as text for a language model. */

import { z } from "zod";
import { isRecord } from "../is-plain-object.ts";
import { firstLines, isGiven, oneLine, otherLines, withoutOrigin } from "../text-lines-for-language-model.ts";
import type { AgentResponse, KnowledgeSummary, QueryAnswer, ScreenList } from "./knowledge-protocol.ts";
import { agentResponseSchema, searchHitSchema } from "./knowledge-protocol.ts";
import { actionLine } from "./map-action-text.ts";
import { questionLines } from "./map-question-answer-text.ts";
import { questionAnswerSchema } from "./map-question-schemas.ts";
import type { SiteFunction } from "./site-map/site-functions-list.ts";
import { functionalText, semanticText } from "./site-map/site-map-text.ts";
import type { Section } from "./site-map/site-map-tree.ts";

const SNIPPET_MOST = 300;
const LINKS_MOST = 200;
/** Maximum number of actions in the line of a screen. */
const SCREEN_ACTIONS_MOST = 3;
/** Maximum length of an action in the line of a screen, in characters. */
const SCREEN_ACTION_LENGTH = 40;

type Fields = Readonly<Record<string, unknown>>;

const verificationSchema = z.object({ dom_contains: z.array(z.string()).default([]) });

function expectedLines({ url_patterns, verification }: Fields): readonly string[] {
  const { dom_contains = [] } = verificationSchema.safeParse(verification).data ?? {};
  return [
    ...(isGiven(url_patterns) ? [`url_patterns: ${JSON.stringify(url_patterns)}`] : []),
    ...(dom_contains.length > 0
      ? [`shows: ${dom_contains.map((text) => JSON.stringify(text)).join(", ")}`]
      : []),
  ];
}

/**
 * Metadata fields that are not listed, because the text already shows them or because they repeat the route.
 */
const SHOWN_METADATA = new Set([
  "code",
  "screen_name",
  "confidence",
  "found_by",
  "judged_by",
  "path",
  "steps",
  "from_screen_id",
  "waypoints",
  "transitions",
  "room_name",
  "located",
  "matched_indicators",
  "available_actions",
  "controls",
]);

/**
 * Returns one line for each action of the screen, with its description only. `get_actions` returns the
 * parameters of the actions.
 */
function availableLines({ available_actions: actions }: Fields): readonly string[] {
  if (!Array.isArray(actions) || actions.length === 0) return [];
  const words = actions.flatMap((action) =>
    isRecord(action) && typeof action.description === "string" ? [action.description] : [],
  );
  return ["Actions (get_actions has their parameters):", ...words.map((text) => `- ${oneLine(text, 120)}`)];
}

export function agentText({ success, actions, expected_result, error, metadata }: AgentResponse): string {
  const { code, screen_name, confidence } = metadata;
  const { screen_id } = expected_result;
  const named = [screen_id, screen_name === undefined ? undefined : JSON.stringify(screen_name)].filter(
    isGiven,
  );
  return [
    ...(success ? [] : [`${typeof code === "string" ? `${code}: ` : ""}${error ?? "failed"}`]),
    ...(named.length > 0
      ? [`screen ${named.join(" ")}${typeof confidence === "number" ? `, confidence ${confidence}` : ""}`]
      : []),
    ...actions.map((action, at) => `${at + 1}. ${actionLine(action)}`),
    ...expectedLines(expected_result),
    ...availableLines(metadata),
    ...otherLines(metadata, SHOWN_METADATA),
  ].join("\n");
}

const hitsSchema = z.object({ results: z.array(searchHitSchema) });
const pageSchema = z.looseObject({
  url: z.string(),
  title: z.string(),
  content: z.string(),
  screen_id: z.string().nullish(),
  buttons: z.array(z.string()).default([]),
  inputs: z.array(z.string()).default([]),
});
const linksSchema = z.object({
  url: z.string(),
  links: z.array(z.object({ from: z.string(), to: z.string(), text: z.string().nullish() })),
});
const sectionsSchema = z.object({ sections: z.array(z.custom<Section>(isRecord)) });
const groupsSchema = z.object({
  screens: z.number(),
  groups: z.array(z.object({ functions: z.array(z.custom<SiteFunction>(isRecord)) })),
});
const textSchema = z.object({ text: z.string() });

const cursorLines = ({ next_cursor }: Fields): readonly string[] =>
  typeof next_cursor === "string" ? [`next_cursor ${next_cursor}`] : [];

function hitLines({ results }: z.infer<typeof hitsSchema>): readonly string[] {
  if (results.length === 0) return ["No page fits."];
  return results.flatMap(({ kind, id, title, url, snippet }) => [
    // A task has no address, so its id is shown instead. With this id, a caller can execute the task.
    `${kind === "page" ? "" : `${kind}: `}${title} | ${kind === "task" ? id : url}`,
    `  ${oneLine(snippet, SNIPPET_MOST)}`,
  ]);
}

function pageLines({
  title,
  url,
  screen_id,
  content,
  buttons,
  inputs,
}: z.infer<typeof pageSchema>): readonly string[] {
  return [
    `${title} | ${url}${screen_id ? ` | screen ${screen_id}` : ""}`,
    content,
    ...(buttons.length > 0 ? [`Buttons: ${buttons.join(" | ")}`] : []),
    ...(inputs.length > 0 ? [`Fields: ${inputs.join(" | ")}`] : []),
  ];
}

function linkLines({ url, links }: z.infer<typeof linksSchema>): readonly string[] {
  if (links.length === 0) return [`No links of ${url} are stored.`];
  const line = ({ from, to, text }: (typeof links)[number]): string => {
    const words = text ? ` ${JSON.stringify(oneLine(text, 80))}` : "";
    return from === url ? `to ${withoutOrigin(to, url)}${words}` : `from ${withoutOrigin(from, url)}${words}`;
  };
  return [url, ...firstLines(links, LINKS_MOST, line, 'detail: "records"')];
}

type Form = (data: Fields) => readonly string[] | undefined;

function form<Schema extends z.ZodType>(
  schema: Schema,
  lines: (data: z.output<Schema>) => readonly string[],
): Form {
  return (data) => {
    const parsed = schema.safeParse(data);
    return parsed.success ? lines(parsed.data) : undefined;
  };
}

/** The result types of `query_knowledge`, each with its function that formats the result as text. */
const forms: readonly Form[] = [
  form(questionAnswerSchema, questionLines),
  form(agentResponseSchema, (answer) => [agentText(answer)]),
  form(textSchema, ({ text }) => [text]),
  form(hitsSchema, hitLines),
  form(pageSchema, pageLines),
  form(linksSchema, linkLines),
  form(sectionsSchema, ({ sections }) => [semanticText(sections)]),
  form(groupsSchema, ({ groups, screens }) => [
    functionalText(
      groups.flatMap(({ functions }) => functions),
      () => undefined,
      screens,
    ),
  ]),
];

/** Formats an answer as text; returns `undefined` when there is no text form for its type. */
export function queryText({ success, data, error }: QueryAnswer): string | undefined {
  if (!success || data === null) return error ?? "failed";
  for (const linesOf of forms) {
    const lines = linesOf(data);
    if (lines) return [...lines, ...cursorLines(data)].join("\n");
  }
  return undefined;
}

/** Whether a map is empty: no page was read, and nothing was imported or ingested. */
export function isEmptyMap({ pages, screens, documents }: KnowledgeSummary): boolean {
  return pages === 0 && screens === 0 && documents === 0;
}

function summaryLine(summary: KnowledgeSummary): string {
  const { knowledge_id, pages, screens, transitions, documents, websites } = summary;
  const sites = websites.map(({ base_url }) => base_url).join(", ");
  // A map stays empty if its exploration could not read the first page.
  if (isEmptyMap(summary)) return `${knowledge_id}: empty, no page was read | ${sites}`;
  return `${knowledge_id}: ${pages} pages, ${screens} screens, ${transitions} transitions, ${documents} documents | ${sites}`;
}

export function mapsText({ knowledge }: { readonly knowledge: readonly KnowledgeSummary[] }): string {
  return knowledge.length === 0 ? "There are no maps." : knowledge.map(summaryLine).join("\n");
}

export function screensText({ screens, statistics, next_cursor }: ScreenList): string {
  const { actionable_screens, non_actionable_screens } = statistics;
  const [first] = screens;
  // Addresses on the origin of the first screen are written without the origin, because most screens of a map
  // are on one site.
  const line = ({ screen_id, name, url, instances, ...screen }: ScreenList["screens"][number]): string => {
    const actions = screen.available_browser_use_actions;
    const words = actions
      .slice(0, SCREEN_ACTIONS_MOST)
      .map(({ description }) => oneLine(description, SCREEN_ACTION_LENGTH));
    const more = actions.length > words.length ? `; and ${actions.length - words.length} more` : "";
    const many = instances > 1 ? ` | ${instances} instances` : "";
    return `${screen_id} | ${name} | ${withoutOrigin(url, first?.url ?? url)}${many}${words.length > 0 ? ` | ${words.join("; ")}${more}` : ""}`;
  };
  return [
    `${actionable_screens} screens to act on, ${non_actionable_screens} others${first ? ` | ${URL.parse(first.url)?.origin ?? first.url}` : ""}`,
    ...screens.map(line),
    ...(next_cursor === null ? [] : [`next_cursor ${next_cursor}`]),
  ].join("\n");
}
