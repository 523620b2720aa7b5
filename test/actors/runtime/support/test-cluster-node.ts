/** A node of a small test cluster, in this process: a real NATS connection, real workers, a shared store. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Membership } from "../../../../actors/node/node-as-cluster-member.ts";
import { joinCluster } from "../../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import { ActorSystem, systemClock, WorkerPool } from "../../../../actors/runtime/index.ts";
import { roles as everyRole, type Role } from "../../../../machines/runtime/cluster-node-roles.ts";
import type { OwnedStore } from "../../../../store/index.ts";
import type { NatsServer } from "../../../support/test-nats-server.ts";

export const LEASE_TTL = 2_000;

export class ClusterNode {
  readonly name: string;
  readonly system: ActorSystem;
  readonly pool: WorkerPool;
  readonly membership: Membership;
  readonly cluster: Awaited<ReturnType<typeof joinCluster>>;
  readonly logged: string[];

  private constructor(
    name: string,
    cluster: Awaited<ReturnType<typeof joinCluster>>,
    store: OwnedStore,
    roles: readonly Role[],
    logged: string[],
    release: number,
  ) {
    this.name = name;
    this.cluster = cluster;
    this.logged = logged;
    const log = (_: string, message: string, fields: unknown) =>
      logged.push(`${message} ${JSON.stringify(fields)}`);
    const workers = 2;
    const self = { name, roles, workers, version: "1.0.0", kinds: { counter: release }, since: Date.now() };
    this.membership = new Membership(cluster, self, log);
    this.system = new ActorSystem(cluster.bus, systemClock, `${name}-clients`);
    this.pool = new WorkerPool({
      module: pathToFileURL(join(import.meta.dirname, "worker-pool-test-module.ts")),
      size: workers,
      node: name,
      bus: cluster.bus,
      leases: cluster.leases,
      wanted: (worker) => this.membership.wanted(worker),
      store: (bytes) => store.serve(bytes),
      clock: systemClock,
      leaseTtl: LEASE_TTL,
      settings: { release },
      log,
      exhausted: (worker) => log("error", "exhausted", { worker }),
    });
  }

  static async start(
    name: string,
    server: NatsServer,
    store: OwnedStore,
    roles: readonly Role[] = everyRole,
    release = 1,
  ): Promise<ClusterNode> {
    const logged: string[] = [];
    const cluster = await joinCluster({
      url: server.url,
      name,
      leaseTtl: LEASE_TTL,
      replicas: 1,
      log: (_, message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
    });
    const node = new ClusterNode(name, cluster, store, roles, logged, release);
    await node.pool.start();
    await node.membership.join(
      () => node.pool.reconsider(),
      () => node.pool.reports(),
    );
    return node;
  }

  /** Returns the shards that the node's workers host at the moment. */
  async shards(): Promise<readonly number[]> {
    return (await this.pool.reports()).flatMap(({ host }) => [...(host?.shards ?? [])]);
  }

  /** Stops the node as a normal shutdown does. */
  async stop(): Promise<void> {
    await this.membership.leave();
    await this.pool.stop();
    this.system.close();
    await this.cluster.close();
  }

  /** Disconnects the node permanently from the broker. Its workers are not stopped. */
  async cutOff(): Promise<void> {
    await this.cluster.connection.connection.close();
  }
}
