/**
 * Two views of a whole map: what it is about (by the paths of its URLs) and what can be done in it.
 *
 * Both are made from what was stored and infer nothing. Pure; `actors/knowledge/query.ts` reads the rows.
 */
import type { ActionRecord } from "../records.ts";
import { toolName } from "./action-names.ts";
import type { AtlasScreen } from "./atlas.ts";

/** A part of the site: the screens under one path. */
export interface Section {
  /** The path's last segment, decoded; the host for the top. */
  readonly name: string;
  readonly path: string;
  /** Screens here and below. */
  readonly pages: number;
  /** The screens whose URL is exactly this path (several when only the query differs). */
  readonly screens: readonly { readonly screen_id: string; readonly title: string; readonly url: string }[];
  readonly children: readonly Section[];
}

interface Growing {
  readonly name: string;
  readonly path: string;
  readonly screens: { screen_id: string; title: string; url: string }[];
  readonly children: Map<string, Growing>;
}

/** One tree for each host. Order: by path. */
export function semanticSitemap(screens: Iterable<AtlasScreen>): readonly Section[] {
  const hosts = new Map<string, Growing>();
  for (const screen of screens) {
    const url = URL.parse(screen.url);
    if (!url) continue;
    let here = child(hosts, url.host, url.host, `${url.origin}/`);
    let path = url.origin;
    for (const segment of url.pathname.split("/").filter((part) => part !== "")) {
      path += `/${segment}`;
      here = child(here.children, segment, decoded(segment), path);
    }
    here.screens.push({ screen_id: screen.screen_id, title: screen.name, url: screen.url });
  }
  return sections(hosts);
}

function child(among: Map<string, Growing>, key: string, name: string, path: string): Growing {
  const known = among.get(key);
  if (known) return known;
  const made: Growing = { name, path, screens: [], children: new Map() };
  among.set(key, made);
  return made;
}

function sections(among: ReadonlyMap<string, Growing>): readonly Section[] {
  return [...among.values()]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ name, path, screens, children }) => {
      const below = sections(children);
      const pages = screens.length + below.reduce((sum, section) => sum + section.pages, 0);
      return {
        name,
        path,
        pages,
        screens: screens.sort((a, b) => (a.url < b.url ? -1 : 1)),
        children: below,
      };
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** One thing that can be done, and where. The same control on many screens is one function. */
export interface SiteFunction {
  readonly name: string;
  readonly action_type: string;
  readonly tool_name: string;
  /** How many screens offer it; `screen_ids` names the first of them. */
  readonly screens: number;
  readonly screen_ids: readonly string[];
}

const NAMED_SCREENS = 20;

/** Forms first, then fields and buttons; of each the most widespread first. */
export function functionalSitemap(
  offered: Iterable<{ readonly screen_id: string; readonly actions: readonly ActionRecord[] }>,
): readonly SiteFunction[] {
  const found = new Map<string, { name: string; action_type: string; screen_ids: Set<string> }>();
  for (const { screen_id, actions } of offered) {
    for (const { name, action_type } of actions) {
      const key = `${action_type}\n${name}`;
      const known = found.get(key);
      if (known) known.screen_ids.add(screen_id);
      else found.set(key, { name, action_type, screen_ids: new Set([screen_id]) });
    }
  }
  const rank = (actionType: string) => (actionType === "submit_form" ? 0 : actionType === "click" ? 2 : 1);
  return [...found.values()]
    .sort(
      (a, b) =>
        rank(a.action_type) - rank(b.action_type) ||
        b.screen_ids.size - a.screen_ids.size ||
        (a.name < b.name ? -1 : 1),
    )
    .map(({ name, action_type, screen_ids }) => ({
      name,
      action_type,
      tool_name: toolName(action_type),
      screens: screen_ids.size,
      screen_ids: [...screen_ids].slice(0, NAMED_SCREENS),
    }));
}
