/** Connects to a host by TCP. It tries the checked addresses of the host in order, until one answers. */
import { connect, type Socket } from "node:net";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import { silentHostError } from "./outgoing-connection-errors.ts";

export interface ConnectOptions {
  readonly destinations: Destinations;
  readonly port: number;
  /**
   * Whether the two directions of the connection end separately: the socket can still send after the server
   * has finished sending.
   */
  readonly allowHalfOpen: boolean;
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for a connection to each address. */
  readonly within: number;
}

/**
 * Returns a connected socket. Rejects with the policy's refusal, the resolver's error, `egress.timeout`, the
 * error of the last address, or the signal's reason.
 */
export async function connectTo(url: URL, options: ConnectOptions): Promise<Socket> {
  const { destinations, signal } = options;
  let failure: unknown;
  for (const address of await destinations.addressesOf(url)) {
    signal?.throwIfAborted();
    try {
      return await connectAddress(address, options);
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      destinations.avoid(url, address);
      failure = thrown;
    }
  }
  throw failure;
}

function connectAddress(host: string, options: ConnectOptions): Promise<Socket> {
  const { port, allowHalfOpen, signal, within } = options;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen });
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      socket.removeAllListeners();
    };
    const fail = (reason: unknown): void => {
      settle();
      // The caller has got the error already. Later errors of this socket are not reported; they only close
      // the socket.
      socket.on("error", () => socket.destroy());
      socket.destroy();
      reject(reason);
    };
    const abort = (): void => fail(signal?.reason);
    const timer = setTimeout(() => fail(silentHostError(host, within)), within);
    signal?.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once("connect", () => {
      settle();
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}
