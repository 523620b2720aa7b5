/**
 * The request of an exploration after validation: where it starts, how it reads and orders pages, and which
 * URLs it may follow.
 */
import { z } from "zod";
import type { RiskClass } from "../risk/risk-classes.ts";

export const strategySchema = z.enum(["BFS", "DFS"]);
export type Strategy = z.infer<typeof strategySchema>;

/**
 * Whether an exploration only follows links or also presses controls. By default, it presses controls on two
 * kinds of pages: pages with buttons or tabs that most other pages do not have, and pages whose content is
 * created by scripts.
 */
export const modeSchema = z.enum(["links", "interactive", "auto"]);
export type ExplorationMode = z.infer<typeof modeSchema>;

/** How the pages of a job are read: all over HTTP, all in a browser, or each page in the way that it needs. */
export const renderingSchema = z.enum(["auto", "http", "browser"]);
export type Rendering = z.infer<typeof renderingSchema>;

/**
 * How much of a site is explored: its `host`; all `subdomains` of the registrable domain (`example.co.uk` for
 * `docs.example.co.uk`) on the same port; or the `path` of the start URL.
 */
export type ScopeKind = "host" | "subdomains" | "path";

export interface ScopeRules {
  readonly scope: ScopeKind;
  /**
   * Patterns of URLs to follow (see `isUrlPattern`). If the list is not empty, only matching URLs are
   * followed.
   */
  readonly include: readonly string[];
  /** URLs that match one of these patterns are never followed. */
  readonly exclude: readonly string[];
  /** How the job explores the site; `links` if absent. With `links`, no control is pressed. */
  readonly mode?: ExplorationMode;
  /** The encrypted login recipe (the steps that sign in). */
  readonly login?: string;
}

/**
 * A validated request of an exploration. Its URL is normalised, and the ids of its map and website are
 * chosen.
 */
export interface ExplorationRequest extends ScopeRules {
  readonly start_url: string;
  readonly max_pages: number;
  readonly max_depth: number;
  readonly strategy: Strategy;
  readonly knowledge_id: string;
  readonly website_id: string;
  readonly respect_robots: boolean;
  readonly render: Rendering;
  /** Whether pages that are known only from a sitemap or feed are explored. */
  readonly sitemaps: boolean;
  /**
   * `interactive`: after following links, the job also presses controls that change no data. Absent in older
   * jobs.
   */
  readonly mode?: ExplorationMode;
  readonly max_actions?: number;
  readonly max_seconds?: number;
  /**
   * A digest (hash) of the login recipe, by which equal recipes are found. The encrypted recipe differs each
   * time that it is encrypted.
   */
  readonly login_digest?: string;
  /** The role of the account that signs in, such as `admin`. */
  readonly role?: string;
  readonly allow?: readonly RiskClass[];
}
