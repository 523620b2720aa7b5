/**
 * Publishes to JetStream and hears what it says to that, each time as `jetStream.publish` does, at a third of its cost:
 * one subscription hears all answers, and one timer looks for those that do not come.
 *
 * Neighbours: `command-stream.nats.ts` publishes commands, `broker.nats.ts` is the connection and ends what was under
 * way when it is lost.
 */
import { createInbox, ErrorCode, headers, Match, type Msg, NatsError } from "nats";
import { limits } from "../../machines/limits.ts";
import type { Broker } from "./broker.nats.ts";

const MESSAGE_ID = "Nats-Msg-Id";

/** What JetStream says when it has taken a message. */
export interface Taken {
  readonly stream: string;
  readonly seq: number;
  /** It had one with this id already, which is at that place. */
  readonly duplicate?: boolean;
}

type Answer = Taken & { readonly error?: NonNullable<NatsError["api_error"]> };

interface Open {
  readonly subject: string;
  /** On the monotonic clock. */
  readonly until: number;
  readonly taken: (taken: Taken) => void;
  readonly end: (error: Error) => void;
}

export class Publications {
  readonly #broker: Broker;
  readonly #inbox = `${createInbox()}.`;
  /** In their order, which is that of their deadlines. */
  readonly #open = new Map<string, Open>();
  readonly #decoder = new TextDecoder();
  #published = 0;
  #listening = false;
  #looking = false;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /**
   * Resolves when the message is in its stream. Rejects with what JetStream or the client says (`NatsError`), or with
   * `bus.unavailable` when the connection is lost first.
   *
   * @param id one line; a message with an id that the stream has is not taken again
   */
  publish(subject: string, text: string, id: string): Promise<Taken> {
    return new Promise((resolve, reject) => {
      this.#listen();
      this.#published += 1;
      const token = this.#published.toString(36);
      const close = () => {
        this.#open.delete(token);
        this.#broker.settled(end);
      };
      const end = (error: Error) => {
        close();
        reject(error);
      };
      const taken = (answer: Taken) => {
        close();
        resolve(answer);
      };
      const until = performance.now() + limits.bus.jetStreamPatience;
      this.#open.set(token, { subject, until, taken, end });
      this.#broker.underWay(end);
      const header = headers();
      header.append(MESSAGE_ID, id, Match.Exact);
      try {
        const reply = this.#inbox + token;
        this.#broker.connection.publish(subject, text, { reply, headers: header });
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
      this.#look();
    });
  }

  /** From the first publication on: not everybody who could publish does. */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#broker.connection.subscribe(`${this.#inbox}*`, {
      callback: (error, msg) => {
        if (error) this.#broker.log("error", "NATS ended what hears its answers", { error: String(error) });
        else this.#heard(msg);
      },
    });
    this.#broker.onForbidden((subject) => {
      const refused = [...this.#open.values()].find((open) => open.subject === subject);
      refused?.end(
        new NatsError(`permissions violation for publish to "${subject}"`, ErrorCode.PermissionsViolation),
      );
    });
  }

  #heard(msg: Msg): void {
    const open = this.#open.get(msg.subject.slice(this.#inbox.length));
    if (!open) return; // It came too late.
    if (msg.data.length === 0) {
      // Nobody listens on the subject: no stream has it, or JetStream is not there.
      open.end(NatsError.errorForCode(ErrorCode.NoResponders));
      return;
    }
    const answer = JSON.parse(this.#decoder.decode(msg.data)) as Answer; // Of JetStream's own API.
    if (!answer.error) {
      open.taken(answer);
      return;
    }
    const refused = new NatsError(answer.error.description, String(answer.error.code));
    refused.api_error = answer.error;
    open.end(refused);
  }

  /** Ends what nobody answers, now and then while anything is open. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => {
      this.#looking = false;
      const now = performance.now();
      for (const open of this.#open.values()) {
        if (open.until > now) break;
        open.end(NatsError.errorForCode(ErrorCode.Timeout));
      }
      if (this.#open.size > 0) this.#look();
    }, limits.bus.jetStreamPatience / 4);
  }
}
