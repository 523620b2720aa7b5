/**
 * Publishes to JetStream like `jetStream.publish`, at a third of its cost. One subscription gets all answers,
 * and one timer checks all deadlines.
 */
import { createInbox, ErrorCode, type Msg, type MsgHdrs, NatsError } from "nats";
import { busLimits } from "../../actor-runtime-limits.ts";
import type { BrokerConnection } from "./nats-connection-of-node.ts";

/**
 * JetStream's answer to a duplicate: the stream already has a message with this id, and `seq` is the sequence
 * number of that message.
 */
export interface Duplicate {
  readonly stream: string;
  readonly seq: number;
}

type Answer = Duplicate & {
  readonly duplicate?: boolean;
  readonly error?: NonNullable<NatsError["api_error"]>;
};

/**
 * The answer of JetStream to a successful publish begins with this text. It is recognised without parsing.
 */
const TAKEN = '{"stream":';

interface OpenPublish {
  readonly subject: string;
  /** The deadline of the publish, in milliseconds of a monotonic clock. */
  readonly until: number;
  readonly resolve: (duplicate: Duplicate | undefined) => void;
  readonly reject: (error: Error) => void;
}

export class JetStreamPublisher {
  readonly #broker: BrokerConnection;
  readonly #inbox = `${createInbox()}.`;
  /**
   * The published messages that are not answered yet, in the order in which they were sent. Their deadlines
   * have the same order.
   */
  readonly #open = new Map<string, OpenPublish>();
  readonly #decoder = new TextDecoder();
  /** Rejects all open publishes in order when the connection is lost. */
  readonly #lost = (error: Error) => {
    for (const token of [...this.#open.keys()]) this.#fail(token, error);
  };
  #published = 0;
  #listening = false;
  #checking = false;

  constructor(broker: BrokerConnection) {
    this.#broker = broker;
  }

  /**
   * Publishes a message, and resolves when its stream contains it. For a duplicate, it resolves with the
   * sequence number of the earlier message. Rejects with a `NatsError`, or with `bus.unavailable` if the
   * connection is lost before.
   *
   * @param id one line of ASCII text by which JetStream detects duplicates
   */
  publish(subject: string, text: string, id: string): Promise<Duplicate | undefined> {
    return new Promise((resolve, reject) => {
      this.#listen();
      this.#published += 1;
      const token = this.#published.toString(36);
      const until = performance.now() + busLimits.jetStreamPatience;
      this.#open.set(token, { subject, until, resolve, reject });
      this.#broker.trackRequest(this.#lost);
      try {
        this.#broker.connection.publish(subject, text, {
          reply: this.#inbox + token,
          headers: identified(id),
        });
      } catch (error) {
        this.#fail(token, error instanceof Error ? error : new Error(String(error)));
      }
      this.#checkDeadlines();
    });
  }

  #fail(token: string, error: Error): void {
    const open = this.#open.get(token);
    this.#open.delete(token);
    open?.reject(error);
  }

  /**
   * Subscribes to JetStream's answers. This is done at the first publish, because other connections need no
   * subscription.
   */
  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#broker.subscribe(`${this.#inbox}*`, (msg) => this.#receive(msg));
    this.#broker.onForbidden((subject) => {
      const refused = [...this.#open].find(([, open]) => open.subject === subject);
      if (!refused) return;
      const [token] = refused;
      const why = `permissions violation for publish to "${subject}"`;
      this.#fail(token, new NatsError(why, ErrorCode.PermissionsViolation));
    });
  }

  #receive(msg: Msg): void {
    const token = msg.subject.slice(this.#inbox.length);
    const open = this.#open.get(token);
    if (!open) return; // The answer arrived after the deadline of its publish, so it is ignored.
    const { data } = msg;
    if (data.length === 0) {
      // An empty answer shows that the subject has no subscriber: no stream contains the subject, or
      // JetStream is not available.
      this.#fail(token, NatsError.errorForCode(ErrorCode.NoResponders));
      return;
    }
    const text = this.#decoder.decode(data);
    const plain = text.startsWith(TAKEN) && !text.includes('"duplicate"') && !text.includes('"error"');
    // JetStream wrote this JSON, so the cast is safe. The answer to a normal publish is not parsed, because
    // only its arrival matters.
    const answer = plain ? undefined : (JSON.parse(text) as Answer);
    if (answer?.error) {
      const refused = new NatsError(answer.error.description, String(answer.error.code));
      refused.api_error = answer.error;
      this.#fail(token, refused);
      return;
    }
    this.#open.delete(token);
    open.resolve(answer?.duplicate ? answer : undefined);
  }

  /** Rejects the publishes whose deadline has passed. It runs only while any publish is open. */
  #checkDeadlines(): void {
    if (this.#checking) return;
    this.#checking = true;
    setTimeout(() => {
      this.#checking = false;
      const now = performance.now();
      for (const [token, open] of this.#open) {
        if (open.until > now) break;
        this.#fail(token, NatsError.errorForCode(ErrorCode.Timeout));
      }
      if (this.#open.size > 0) this.#checkDeadlines();
    }, busLimits.jetStreamPatience / 4);
  }
}

const encoder = new TextEncoder();

/**
 * Returns NATS headers that contain only a message id. The NATS client calls only `encode` on them. An object
 * of the client's own header class would cost as much time as the rest of the message.
 */
function identified(id: string): MsgHdrs {
  const header = { encode: () => encoder.encode(`NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`) };
  // The object lacks methods of `MsgHdrs` that only receivers call, so the cast is safe.
  return header as unknown as MsgHdrs;
}
