/**
 * Who wants to know when a resource changes: the subscriptions of one connection, or of all streams of 2026's protocol.
 *
 * Sessions and explorations tell of themselves while they are watched; what comes in crowds is told once for a while.
 * A client then reads the resource again. Neighbour: `resources.ts` has the resources.
 */
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { explorationTopic } from "../../machines/exploration/events.ts";
import { sessionTopic } from "../../machines/session/events.ts";
import type { Cairn } from "../system.ts";
import { mcpLimits } from "./limits.ts";

/** The topic of what a resource tells; maps and tools tell nothing. */
function topicOf(uri: string): string {
  const [, kind, id = ""] = /^cairn:\/\/(sessions|explorations)\/([^/?#]+)$/.exec(uri) ?? [];
  if (kind === undefined) throw new ResourceNotFoundError(uri);
  let name: string;
  try {
    name = decodeURIComponent(id);
  } catch {
    throw new ResourceNotFoundError(uri); // an escape that is none
  }
  return kind === "sessions" ? sessionTopic(name) : explorationTopic(name);
}

export class Subscriptions {
  readonly #changed: (uri: string) => void;
  readonly #most: number;
  readonly #ends = new Map<string, () => void>();

  /** `most`: resources at a time. */
  constructor(changed: (uri: string) => void, most: number = mcpLimits.watchedResources) {
    this.#changed = changed;
    this.#most = most;
  }

  /** Throws `ResourceNotFoundError` for what tells nothing of itself. */
  add(cairn: Cairn, uri: string): void {
    if (this.#ends.has(uri)) return;
    if (this.#ends.size >= this.#most) throw new ResourceNotFoundError(uri, "Too many subscriptions");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unwatch = cairn.watch(topicOf(uri), () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        this.#changed(uri);
      }, mcpLimits.notifyInterval);
    });
    this.#ends.set(uri, () => {
      clearTimeout(timer);
      unwatch();
    });
  }

  remove(uri: string): void {
    this.#ends.get(uri)?.();
    this.#ends.delete(uri);
  }

  close(): void {
    for (const uri of [...this.#ends.keys()]) this.remove(uri);
  }
}
