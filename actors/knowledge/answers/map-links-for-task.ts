/** Finds the links of a map that may lead to the form of a task, when the map has not read this form. */
import type { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import { stemsOf, type TaskWords } from "../../../machines/knowledge/screens/operation-and-thing-of-task.ts";
import { stateOfId } from "../../../machines/knowledge/screens/page-states-to-map-instances.ts";
import type { TransitionAction } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { linksForTask } from "../../../machines/knowledge/tasks/links-for-task.ts";
import type { AgentRequest } from "./agent-answer-builders.ts";

/** Maximum number of links that an answer names. */
const NAMED_LINKS = 20;
/**
 * Number of letters at the end of a word that are not compared, because the plural may change them:
 * "category" and "categories".
 */
const ENDING = 1;

export interface NamedLinkOfMap {
  readonly name: string;
  readonly url: string;
}

export interface MapLinksForTask {
  /** Links that may lead to the form, best first. */
  readonly links: readonly NamedLinkOfMap[];
  /**
   * Further links that may lead to the form. Each is below the page of one of several objects, such as
   * `/shops/north/…`, and the task does not name this object.
   */
  readonly ofOtherObjects: readonly NamedLinkOfMap[];
}

/** A link of the map: the text by which it is found, and its address. */
interface LinkOfMap {
  readonly text: string;
  readonly url: string;
}

/**
 * Returns the links of the map whose texts contain one of the words. For a large map the list is empty,
 * because the search would read all its transitions.
 */
export async function linksWithWords(
  { atlas, source, knowledgeId }: AgentRequest,
  words: readonly string[],
): Promise<readonly LinkOfMap[]> {
  if (atlas.routes.countTransitions() > knowledgeLimits.transitionsOfLinkNames) return [];
  const parts = new Set(words.map((word) => (word.length > 3 ? word.slice(0, -ENDING) : word)));
  const found = new Map<string, LinkOfMap>();
  for (const part of parts) {
    const rows = await source.screens.linksWith(knowledgeId, part, knowledgeLimits.linksOfTarget);
    for (const [, , action] of rows) {
      // The map actor wrote the action as JSON of `TransitionAction`, so the cast is safe.
      const { name, target, url } = JSON.parse(action) as TransitionAction;
      const text = name || (target?.name ?? "");
      if (url !== "") found.set(`${text}\n${url}`, { url, text });
    }
  }
  return [...found.values()];
}

export async function mapLinksForTask(asked: AgentRequest, words: TaskWords): Promise<MapLinksForTask> {
  const { atlas, context } = asked;
  const here = context.current_url ?? "";
  const origin = URL.parse(here)?.origin;
  const found = await linksWithWords(asked, words.things);
  const ofSite = found.filter(({ url }) => URL.parse(url)?.origin === origin);
  const { open, unclear } = linksForTask(ofSite, words, { url: here, words: new Set(), object: undefined });
  const named = [...open, ...unclear].map(({ url, text }) => ({ name: text, url }));
  const isOfOther = ({ url }: NamedLinkOfMap): boolean => belongsToOther(atlas, url, here, words);
  return {
    links: named.filter((link) => !isOfOther(link)).slice(0, NAMED_LINKS),
    ofOtherObjects: named.filter(isOfOther).slice(0, NAMED_LINKS),
  };
}

/**
 * Whether an address is below the page of another object than that of the task. For example, `/shops/north/orders`
 * is below the page of a shop that neither the session shows nor the task names.
 */
function belongsToOther(atlas: Atlas, url: string, here: string, words: TaskWords): boolean {
  const [address, current] = [URL.parse(url), URL.parse(here)];
  if (!address) return false;
  const parts = address.pathname.split("/").filter((part) => part !== "");
  return parts.slice(0, -1).some((_, at) => {
    const path = `/${parts.slice(0, at + 1).join("/")}`;
    const page = atlas.byUrl(`${address.origin}${path}/`) ?? atlas.byUrl(`${address.origin}${path}`);
    const group = page && atlas.groupOf(page.screen_id);
    if (!page || !group) return false;
    const pages = [...atlas.members(group.screen_id)].filter((id) => stateOfId(id) === undefined);
    const isCurrent = current?.origin === address.origin && `${current.pathname}/`.startsWith(`${path}/`);
    const own = new Set(stemsOf(page.name));
    const isNamed = words.things.some((word) => own.has(word)) && pages.length > 1;
    return pages.length > 1 && !isCurrent && !isNamed;
  });
}
