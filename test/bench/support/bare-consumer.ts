/**
 * The far end of the bare JetStream exchange, on a thread and a connection of its own as the actors are: it hears what a
 * consumer delivers, acknowledges it and answers. Neighbour: `runtime-nats.ts` starts it and is the near end.
 */
import { connect } from "nats";

export interface BareConsumer {
  readonly url: string;
  /** Where the consumer delivers. */
  readonly inbox: string;
  readonly answer: string;
}

// In a worker `self` is its own scope; the DOM types know only the window's.
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
