/**
 * Reads two host names of one HTTPS server and prints the results. The server's certificate is valid for only
 * one of the names. It is a separate process, because a process reads its trusted certificates only when it
 * starts.
 */
import { join } from "node:path";
import { createDestinations } from "../../../actors/egress/index.ts";
import { createReader } from "../../../actors/reading/index.ts";

const folder = join(import.meta.dir, "../../sites/certificate");
const hosts: (string | null)[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { cert: Bun.file(join(folder, "secure.test.pem")), key: Bun.file(join(folder, "secure.test.key")) },
  fetch(request) {
    hosts.push(request.headers.get("host"));
    return new Response("<title>Safe</title>", { headers: { "content-type": "text/html" } });
  },
});
const destinations = createDestinations({
  policy: { loopback: true, allowPrivate: [] },
  lookup: async () => ["127.0.0.1"],
});
const reader = createReader({ userAgent: "Cairn/test", destinations });
const outcomes = [];
for (const name of ["secure.test", "other.test"]) {
  const outcome = await reader.read(`https://${name}:${server.port}/`, {
    signal: new AbortController().signal,
    inScope: () => true,
    respectRobots: false,
  });
  outcomes.push(
    outcome.kind === "page" ? outcome.page.title : outcome.kind === "failed" ? outcome.code : outcome.kind,
  );
}
console.log(JSON.stringify({ outcomes, hosts, port: server.port }));
process.exit(0);
