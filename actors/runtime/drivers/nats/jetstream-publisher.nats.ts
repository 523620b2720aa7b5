/**
 * Publishes to JetStream like `jetStream.publish`, at a third of its cost: one subscription receives all
 * answers, and one timer checks deadlines.
 */
import { createInbox, ErrorCode, type Msg, type MsgHdrs, NatsError } from "nats";
import { busLimits } from "../../limits.ts";
import type { BrokerConnection } from "./connection.nats.ts";

/** JetStream already had a message with this id, at this sequence. */
export interface Duplicate {
  readonly stream: string;
  readonly seq: number;
}

type Answer = Duplicate & {
  readonly duplicate?: boolean;
  readonly error?: NonNullable<NatsError["api_error"]>;
};

/** The beginning of a successful answer. */
const TAKEN = '{"stream":';

interface OpenPublish {
  readonly subject: string;
  /** Monotonic deadline. */
  readonly until: number;
  readonly resolve: (duplicate: Duplicate | undefined) => void;
  readonly reject: (error: Error) => void;
}

export class JetStreamPublisher {
  readonly #broker: BrokerConnection;
  readonly #inbox = `${createInbox()}.`;
  /** In order, which is also the order of their deadlines. */
  readonly #open = new Map<string, OpenPublish>();
  readonly #decoder = new TextDecoder();
  /** Rejects everything in order when the connection is lost. */
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
   * Resolves when the message is in its stream; with the earlier sequence when it was a duplicate. Rejects
   * with a `NatsError`, or with `bus.unavailable` when the connection is lost first.
   *
   * @param id one line of ASCII, for deduplication
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

  /** Subscribes with the first publish: not every connection publishes. */
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
    if (!open) return; // The answer came too late.
    const { data } = msg;
    if (data.length === 0) {
      // The subject has no subscriber: no stream takes it, or JetStream is absent.
      this.#fail(token, NatsError.errorForCode(ErrorCode.NoResponders));
      return;
    }
    const text = this.#decoder.decode(data);
    const plain = text.startsWith(TAKEN) && !text.includes('"duplicate"') && !text.includes('"error"');
    // An answer of JetStream's API. For most commands only its presence matters.
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

  /** Rejects requests past their deadline; runs only while any is open. */
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
 * Headers with a message id. The client only reads their bytes; its own mutable headers cost as much as the
 * message.
 */
function identified(id: string): MsgHdrs {
  const header = { encode: () => encoder.encode(`NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`) };
  return header as unknown as MsgHdrs; // The other methods are for receivers and never called.
}
