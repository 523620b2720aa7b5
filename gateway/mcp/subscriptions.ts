/**
 * Subscriptions to changes of resources: those of one connection, or of all streams of the 2026 revision.
 * Sessions and explorations emit events. Many events in a short time become one notification; the client then
 * reads the resource again.
 */
import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import { explorationTopic } from "../../machines/exploration/exploration-events.ts";
import { sessionTopic } from "../../machines/session/session-events.ts";
import type { Cairn } from "../actor-system.ts";
import { mcpLimits } from "./limits.ts";

/** The event topic of a resource. Maps and tools emit no events. */
function topicOf(uri: string): string {
  const [, kind, id = ""] = /^cairn:\/\/(sessions|explorations)\/([^/?#]+)$/.exec(uri) ?? [];
  if (kind === undefined) throw new ResourceNotFoundError(uri);
  let name: string;
  try {
    name = decodeURIComponent(id);
  } catch {
    throw new ResourceNotFoundError(uri); // an invalid percent escape
  }
  return kind === "sessions" ? sessionTopic(name) : explorationTopic(name);
}

export class Subscriptions {
  readonly #changed: (uri: string) => void;
  readonly #most: number;
  readonly #ends = new Map<string, () => void>();

  /** `most` is the limit of watched resources. */
  constructor(changed: (uri: string) => void, most: number = mcpLimits.watchedResources) {
    this.#changed = changed;
    this.#most = most;
  }

  /** Throws `ResourceNotFoundError` for a resource without events. */
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
