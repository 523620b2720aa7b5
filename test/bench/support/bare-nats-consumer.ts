/**
 * The receiver of the bench that compares the runtime with bare NATS; `measure-runtime-over-nats.ts` is the
 * sender. Like actors, it has its own thread and connection. It acknowledges each message of a stream and
 * sends a reply.
 */
import { connect } from "nats";

export interface BareConsumer {
  readonly url: string;
  /** The NATS subject to which messages for this consumer are delivered. */
  readonly inbox: string;
  readonly answer: string;
}

// The cast is needed: in a worker `self` is the worker's scope, but the DOM types declare only that of a
// window.
const scope = self as unknown as {
  onmessage: (event: MessageEvent<BareConsumer>) => void;
  postMessage(message: "ready"): void;
};

scope.onmessage = async ({ data: { url, inbox, answer } }) => {
  const connection = await connect({ servers: url });
  const bytes = new TextEncoder().encode(answer);
  connection.subscribe(inbox, {
    callback: (_, msg) => {
      msg.respond("+ACK");
      connection.publish(`bare.reply.${msg.headers?.get("n")}`, bytes);
    },
  });
  await connection.flush();
  scope.postMessage("ready");
};
