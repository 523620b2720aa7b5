/**
 * Subscriptions to changes of resources, for one connection or for all streams of MCP's 2026 revision. Many events in
 * a short time become one notification, after which the client reads the resource again.
 */
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { explorationTopic } from "../../machines/exploration/build-exploration-events.ts";
import { sessionTopic } from "../../machines/session/build-session-events.ts";
import type { Cairn } from "../actor-system-interface.ts";
import { mcpLimits } from "./mcp-limits.ts";

/**
 * Returns the event topic of a session or an exploration. Throws for other resources, such as maps and tools,
 * because they emit no events.
 */
function topicOf(uri: string): string {
  const [, kind, id = ""] = /^cairn:\/\/(sessions|explorations)\/([^/?#]+)$/.exec(uri) ?? [];
  if (kind === undefined) throw new ResourceNotFoundError(uri);
  let name: string;
  try {
    name = decodeURIComponent(id);
  } catch {
    // The URI contains an invalid percent escape, so no session and no exploration has this name.
    throw new ResourceNotFoundError(uri);
  }
  return kind === "sessions" ? sessionTopic(name) : explorationTopic(name);
}

export class Subscriptions {
  readonly #onChange: (uri: string) => void;
  readonly #limit: number;
  readonly #unwatch = new Map<string, () => void>();

  /** @param limit maximum number of resources that can be watched */
  constructor(onChange: (uri: string) => void, limit: number = mcpLimits.watchedResources) {
    this.#onChange = onChange;
    this.#limit = limit;
  }

  /** Starts to watch a resource. Throws `ResourceNotFoundError` if the resource has no events. */
  add(cairn: Cairn, uri: string): void {
    if (this.#unwatch.has(uri)) return;
    if (this.#unwatch.size >= this.#limit) throw new ResourceNotFoundError(uri, "Too many subscriptions");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unwatch = cairn.watch(topicOf(uri), () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        this.#onChange(uri);
      }, mcpLimits.notifyInterval);
    });
    this.#unwatch.set(uri, () => {
      clearTimeout(timer);
      unwatch();
    });
  }

  remove(uri: string): void {
    this.#unwatch.get(uri)?.();
    this.#unwatch.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#unwatch.keys()]) this.remove(uri);
  }
}
