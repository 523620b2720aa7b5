/**
 * Starts a server of a test on a port that no earlier server of this process had. The system gives a freed port
 * away again, and a Cairn that several test files share keeps the robots.txt of an origin for a day: a site on a
 * used port would be read by the rules of the site that had the port before.
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
