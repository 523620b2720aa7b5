/**
 * A SurrealDB server for tests: the embedded engine behind SurrealDB's WebSocket protocol (subprotocol
 * `cbor`). Messages, sessions, sign-in, permissions and statements are SurrealDB's own code; only the sockets
 * are Bun's. `bun test-surreal-server.ts <url> <port>` runs it as a separate process, which tests can kill or
 * stop, and prints its port.
 */
import { CborCodec, type RpcRequest, Uuid } from "surrealdb";
import { connect } from "../../store/connection/open-database.ts";

/** Three users with the password `secret`: one of the server, one of a namespace, and one of a database. */
const USERS = `DEFINE USER IF NOT EXISTS root ON ROOT PASSWORD 'secret' ROLES OWNER;
  DEFINE NAMESPACE IF NOT EXISTS small; USE NS small; DEFINE DATABASE IF NOT EXISTS given; USE DB given;
  DEFINE USER IF NOT EXISTS boss ON NAMESPACE PASSWORD 'secret' ROLES OWNER;
  DEFINE USER IF NOT EXISTS clerk ON DATABASE PASSWORD 'secret' ROLES OWNER;`;

/** Methods that a client may call before it has signed in. */
const OPEN = ["signin", "authenticate", "version", "ping", "use"];

export interface SurrealServer {
  readonly url: string;
  readonly port: number;
  /** Number of sockets that are open now. */
  readonly connections: number;
  /** Closes all sockets without a closing handshake, as a broken network does. */
  drop(): void;
  /** While `true`, the server executes requests but sends no answers. */
  loseAnswers(lose: boolean): void;
  stop(): Promise<void>;
}

interface Socket {
  readonly session: Uuid;
  attached: Promise<unknown>;
  signedIn: boolean;
}

export async function startSurrealServer({
  url = "mem://",
  port = 0,
  tls,
}: {
  readonly url?: string;
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
} = {}): Promise<SurrealServer> {
  const { embedded: engine, client, close } = await connect({ url });
  if (!engine) throw new Error("the test server serves an embedded database");
  await client.query(USERS);
  const codec = CborCodec.DEFAULT;
  const sockets = new Set<Bun.ServerWebSocket<Socket>>();
  let lose = false;

  async function answer(
    socket: Socket,
    { id, ...request }: RpcRequest & { id: string },
  ): Promise<Uint8Array> {
    if (!socket.signedIn && !OPEN.includes(request.method)) {
      const error = { code: -32002, kind: "NotAllowed", message: "IAM error: Not enough permissions" };
      return codec.encode({ id, error });
    }
    const session = request.session ?? socket.session;
    const decoded: unknown = codec.decode(await ask({ ...request, session }));
    const failed = typeof decoded === "object" && decoded !== null && "error" in decoded;
    if (!failed && request.method === "signin") socket.signedIn = true;
    return codec.encode(failed ? { id, error: decoded.error } : { id, result: decoded });
  }
  const ask = (request: RpcRequest) => engine.raw(codec.encode({ id: "1", ...request }));

  const server = Bun.serve<Socket, never>({
    port,
    hostname: "127.0.0.1",
    ...(tls ? { tls } : {}),
    fetch(request, upgrading) {
      const data: Socket = { session: Uuid.v4(), attached: Promise.resolve(), signedIn: false };
      const headers = { "sec-websocket-protocol": "cbor" };
      if (new URL(request.url).pathname === "/rpc" && upgrading.upgrade(request, { data, headers })) return;
      return new Response("not found", { status: 404 });
    },
    websocket: {
      maxPayloadLength: 128 * 1_024 * 1_024,
      open(socket) {
        sockets.add(socket);
        socket.data.attached = ask({ method: "attach", session: socket.data.session });
      },
      async message(socket, bytes) {
        await socket.data.attached;
        const response = await answer(socket.data, codec.decode(new Uint8Array(bytes as Buffer)));
        if (!lose) socket.send(response);
      },
      async close(socket) {
        sockets.delete(socket);
        await ask({ method: "detach", session: socket.data.session });
      },
    },
  });
  return {
    url: `${tls ? "wss" : "ws"}://localhost:${server.port}`,
    port: server.port ?? 0,
    get connections() {
      return sockets.size;
    },
    drop: () => {
      for (const socket of sockets) socket.terminate();
    },
    loseAnswers: (yes) => {
      lose = yes;
    },
    stop: async () => {
      await server.stop(true);
      await close();
    },
  };
}

if (import.meta.main) {
  const [url = "mem://", port = "0"] = process.argv.slice(2);
  const server = await startSurrealServer({ url, port: Number(port) });
  console.log(server.port);
}
