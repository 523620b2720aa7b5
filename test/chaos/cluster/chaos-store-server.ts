/**
 * A process that opens the store and serves it to the nodes over HTTP: `bun chaos-store-server.ts <url>`. It prints
 * its address.
 */
import { openStore } from "../../../store/index.ts";

const [url = "mem://"] = process.argv.slice(2);
const store = await openStore({ url });
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  maxRequestBodySize: 64 * 1_024 * 1_024,
  async fetch(request) {
    if (request.method === "GET") return Response.json({ rss: process.memoryUsage.rss() });
    const answer = await store.serve(new Uint8Array(await request.arrayBuffer()));
    return new Response(new Uint8Array(answer));
  },
});
console.log(`http://127.0.0.1:${server.port}/`);
