/**
 * Publishes events on the Redis channels of the protocol specification. Changes of a page are observed only
 * while the channel of its session has subscribers. Idle sessions thus stay idle.
 */
import { dialogueTopic } from "../../machines/dialogue/dialogue-context.ts";
import { explorationTopic } from "../../machines/exploration/build-exploration-events.ts";
import { navigationTopic } from "../../machines/navigation/navigation-run-context.ts";
import { type SessionEventType, sessionEventSchema } from "../../machines/session/browser-event-schemas.ts";
import { sessionTopic } from "../../machines/session/build-session-events.ts";
import type { Cairn } from "../actor-system-interface.ts";
import type { Log } from "../log.ts";
import type { RefusedCommand } from "./browser-command-consumer.ts";
import type { ObjectStorage } from "./object-storage.ts";
import { publish, type RedisClient, subscriptions } from "./redis-connection.ts";
import { edgeLimits } from "./redis-queue-limits.ts";

const ROOM_CHANNEL = "browser:events:";
/** Types of events that a session sends only while a subscriber observes its page. */
const OBSERVED: ReadonlySet<SessionEventType> = new Set(["dom_change", "screen_content_update"]);

interface FlatEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface PublisherOptions {
  readonly redis: RedisClient;
  /** Prefix of all names of channels and keys in Redis. */
  readonly prefix: string;
  readonly cairn: Cairn;
  /** The storage for results that are too large for Redis. */
  readonly storage: ObjectStorage | undefined;
  readonly log: Log;
  readonly failed: (error: unknown) => void;
}

export class EventPublisher {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #storage: ObjectStorage | undefined;
  readonly #log: Log;
  readonly #cairn: Cairn;
  readonly #failed: (error: unknown) => void;
  readonly #stop: (() => void)[] = [];
  /**
   * For each observed session, the functions that end the observation of its pages. The key is the room name, or
   * `*` for an observation of all sessions.
   */
  readonly #observed = new Map<string, readonly (() => void)[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor({ redis, prefix, cairn, storage, log, failed }: PublisherOptions) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#storage = storage;
    this.#log = log;
    this.#cairn = cairn;
    this.#failed = failed;
    for (const { shape } of sessionEventSchema.options)
      for (const type of shape.type.values)
        if (!OBSERVED.has(type))
          this.#watch(sessionTopic(undefined, type), (event) => this.#roomEvent(event));
    this.#watch(explorationTopic(), (event) => this.#explorationEvent(event));
    this.#watch(dialogueTopic(), (event) =>
      this.#publish(`dialogue:${String(event.dialogue_id)}:events`, event),
    );
    this.#watch(navigationTopic(), (event) =>
      this.#publish(`navigation:${String(event.run_id)}:events`, event),
    );
    void this.#followSubscribers();
  }

  /**
   * Publishes the failure of a queued command that never became an action of its session. So an agent that only
   * follows the events of the session also learns of the failure. The event has no `seq`, because the session counts
   * only its own events.
   */
  refusedCommand({ room_name, action_type, job_id, command_id, reason }: RefusedCommand): void {
    const [code = "", ...words] = reason.split(": ");
    const error = words.join(": ");
    const payload = {
      room_name,
      ...{ action: { action_type, params: {} }, command_id, job_id, error },
      result: { success: false, error, data: { code } },
    };
    const timestamp = Date.now() / 1_000;
    const event = {
      type: "action_error",
      ...payload,
      data: payload,
      timestamp,
      event_id: crypto.randomUUID(),
    };
    this.#publish(`${ROOM_CHANNEL}${room_name}`, event);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stop) stop();
    for (const ends of this.#observed.values()) for (const end of ends) end();
  }

  #watch(topic: string, listen: (event: FlatEvent) => void): void {
    this.#stop.push(this.#cairn.watch(topic, listen));
  }

  #publish(channel: string, event: FlatEvent): void {
    publish(this.#redis, `${this.#prefix}${channel}`, JSON.stringify(event)).catch(this.#failed);
  }

  #roomEvent(event: FlatEvent): void {
    const channel = `${ROOM_CHANNEL}${String(event.room_name)}`;
    if (event.type !== "result_ready") {
      this.#publish(channel, event);
      return;
    }
    // The result is stored before the event is published, so that a receiver of the event can read it.
    this.#storeResult(String(event.result_id)).then(
      (url) => this.#publish(channel, url === undefined ? event : withUrl(event, url)),
      this.#failed,
    );
  }

  /** Stores a result. If it is stored outside of Redis, returns the URL at which it can be read. */
  async #storeResult(id: string): Promise<string | undefined> {
    const json = JSON.stringify(await this.#cairn.result(id));
    if (this.#storage && json.length > edgeLimits.redisResult) {
      try {
        return await this.#storage.put(`${this.#prefix}${id}`.replaceAll(":", "/"), json);
      } catch (error) {
        this.#log.warn("the object storage does not answer; Redis keeps the result", {
          error: String(error),
        });
      }
    }
    await this.#redis.set(`${this.#prefix}${id}`, json, "PX", edgeLimits.resultFor);
    return undefined;
  }

  #explorationEvent(event: FlatEvent): void {
    const job = String(event.job_id);
    switch (event.type) {
      case "exploration_progress":
        this.#publish(`exploration:${job}:progress`, event);
        break;
      case "page_completed":
        this.#publish(`exploration:${job}:page_completed`, event);
        break;
      case "external_link_detected":
        this.#publish("exploration:external_links", event);
        break;
      default:
        this.#publish("exploration:errors", event);
    }
  }

  async #followSubscribers(): Promise<void> {
    try {
      const { channels, patterns } = await subscriptions(this.#redis, `${this.#prefix}${ROOM_CHANNEL}*`);
      // A Redis client may subscribe to a pattern of channel names. The pattern may match the channel of any
      // session, so all sessions are observed.
      const rooms =
        patterns > 0 ? ["*"] : channels.map((name) => name.slice(this.#prefix.length + ROOM_CHANNEL.length));
      this.#observe(new Set(rooms));
    } catch (error) {
      this.#failed(error);
    }
    if (!this.#closed)
      this.#timer = setTimeout(() => void this.#followSubscribers(), edgeLimits.channelsEvery);
  }

  #observe(rooms: ReadonlySet<string>): void {
    if (this.#closed) return;
    for (const [room, ends] of this.#observed) {
      if (rooms.has(room)) continue;
      for (const end of ends) end();
      this.#observed.delete(room);
    }
    for (const room of rooms) {
      if (this.#observed.has(room)) continue;
      const name = room === "*" ? undefined : room;
      const ends = [...OBSERVED].map((type) =>
        this.#cairn.watch(sessionTopic(name, type), (event) => this.#roomEvent(event)),
      );
      this.#observed.set(room, ends);
    }
  }
}

/** Adds the URL of the stored result to the event, and also to `data`, which repeats the event's fields. */
function withUrl(event: FlatEvent, url: string): FlatEvent {
  // The cast is safe: every event of a session has a copy of its fields in `data`.
  return { ...event, url, data: { ...(event.data as object), url } };
}
