/**
 * Starts a server of a test on a port that no earlier server of this process had. The test files share a Cairn, which
 * stores the robots.txt of an origin for a day. On a port that another site had before, it would apply the old site's
 * robots.txt to the new site.
 */
const usedPorts = new Set<number>();

/** Starts servers until one has an unused port, stops the others, and returns that one. */
export function serveOnUnusedPort(start: () => Bun.Server<undefined>): Bun.Server<undefined> {
  const onUsedPorts: Bun.Server<undefined>[] = [];
  let server = start();
  while (server.port !== undefined && usedPorts.has(server.port)) {
    onUsedPorts.push(server);
    server = start();
  }
  for (const used of onUsedPorts) used.stop(true);
  if (server.port !== undefined) usedPorts.add(server.port);
  return server;
}
