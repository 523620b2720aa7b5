/**
 * Publishes to JetStream and hears what it says to that, each time as `jetStream.publish` does, at a third of its cost:
 * one subscription hears all answers, and one timer looks for those that do not come.
 *
 * Neighbours: `command-stream.nats.ts` publishes commands, `broker.nats.ts` is the connection and ends what was under
 * way when it is lost.
 */
import { createInbox, ErrorCode, type Msg, type MsgHdrs, NatsError } from "nats";
import { busLimits } from "../../limits.ts";
import type { Broker } from "./connection.nats.ts";

/** JetStream had a message with this id already, which is at that place. */
export interface Duplicate {
  readonly stream: string;
  readonly seq: number;
}

type Answer = Duplicate & {
  readonly duplicate?: boolean;
  readonly error?: NonNullable<NatsError["api_error"]>;
};

/** How an answer begins that is no error. */
const TAKEN = '{"stream":';

interface Open {
  readonly subject: string;
  /** On the monotonic clock. */
  readonly until: number;
  readonly resolve: (duplicate: Duplicate | undefined) => void;
  readonly reject: (error: Error) => void;
}

export class Publications {
  readonly #broker: Broker;
  readonly #inbox = `${createInbox()}.`;
  /** In their order, which is that of their deadlines. */
  readonly #open = new Map<string, Open>();
  readonly #decoder = new TextDecoder();
  /** The connection was lost: everything is told so, in its order. */
  readonly #lost = (error: Error) => {
    for (const token of [...this.#open.keys()]) this.#end(token, error);
  };
  #published = 0;
  #listening = false;
  #looking = false;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /**
   * Resolves when the message is in its stream: with the place of the one that was there already, if there was one.
   * Rejects with what JetStream or the client says (`NatsError`), or with `bus.unavailable` when the connection is lost
   * first.
   *
   * @param id one line of ASCII; a message with an id that the stream has is not taken again
   */
  publish(subject: string, text: string, id: string): Promise<Duplicate | undefined> {
    return new Promise((resolve, reject) => {
      this.#listen();
      this.#published += 1;
      const token = this.#published.toString(36);
      const until = performance.now() + busLimits.jetStreamPatience;
      this.#open.set(token, { subject, until, resolve, reject });
      this.#broker.underWay(this.#lost);
      try {
        this.#broker.connection.publish(subject, text, {
          reply: this.#inbox + token,
          headers: identified(id),
        });
      } catch (error) {
        this.#end(token, error instanceof Error ? error : new Error(String(error)));
      }
      this.#look();
    });
  }

  #end(token: string, error: Error): void {
    const open = this.#open.get(token);
    this.#open.delete(token);
    open?.reject(error);
  }

  /** From the first publication on: not everybody who could publish does. */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#broker.hear(`${this.#inbox}*`, (msg) => this.#heard(msg));
    this.#broker.onForbidden((subject) => {
      const refused = [...this.#open].find(([, open]) => open.subject === subject);
      if (!refused) return;
      const [token] = refused;
      const why = `permissions violation for publish to "${subject}"`;
      this.#end(token, new NatsError(why, ErrorCode.PermissionsViolation));
    });
  }

  #heard(msg: Msg): void {
    const token = msg.subject.slice(this.#inbox.length);
    const open = this.#open.get(token);
    if (!open) return; // It came too late.
    const { data } = msg;
    if (data.length === 0) {
      // Nobody listens on the subject: no stream has it, or JetStream is not there.
      this.#end(token, NatsError.errorForCode(ErrorCode.NoResponders));
      return;
    }
    const text = this.#decoder.decode(data);
    const plain = text.startsWith(TAKEN) && !text.includes('"duplicate"') && !text.includes('"error"');
    // Of JetStream's own API; of nearly every command nothing of it is wanted but that it is there.
    const answer = plain ? undefined : (JSON.parse(text) as Answer);
    if (answer?.error) {
      const refused = new NatsError(answer.error.description, String(answer.error.code));
      refused.api_error = answer.error;
      this.#end(token, refused);
      return;
    }
    this.#open.delete(token);
    open.resolve(answer?.duplicate ? answer : undefined);
  }

  /** Ends what nobody answers, now and then while anything is open. */
  #look(): void {
    if (this.#looking) return;
    this.#looking = true;
    setTimeout(() => {
      this.#looking = false;
      const now = performance.now();
      for (const [token, open] of this.#open) {
        if (open.until > now) break;
        this.#end(token, NatsError.errorForCode(ErrorCode.Timeout));
      }
      if (this.#open.size > 0) this.#look();
    }, busLimits.jetStreamPatience / 4);
  }
}

const encoder = new TextEncoder();

/**
 * The header of a message with an id. The client asks a header that it sends for nothing but its bytes, and one of its
 * own, which can be read and changed, costs as much as the message.
 */
function identified(id: string): MsgHdrs {
  const header = { encode: () => encoder.encode(`NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`) };
  return header as unknown as MsgHdrs; // See above: its other methods are for who receives one.
}
