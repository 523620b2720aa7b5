/** Tests which shards a node should own while other nodes join and leave, with a real nats-server. */
import { expect, test } from "bun:test";
import { Membership } from "../../../actors/node/node-as-cluster-member.ts";
import { joinCluster } from "../../../actors/runtime/drivers/nats/cluster-over-nats.ts";
import { workerNames } from "../../../actors/runtime/host/shard-placement.ts";
import type { Cluster, Member } from "../../../actors/runtime/index.ts";
import { roles } from "../../../machines/runtime/cluster-node-roles.ts";
import { addressLimits } from "../../../machines/runtime/shared-runtime-limits.ts";
import { NatsServer } from "../../support/test-nats-server.ts";

const log = () => {};
const member = (name: string): Member => ({ name, roles, workers: 1, version: "1.0.0", kinds: {}, since: 0 });

function joined(server: NatsServer, name: string): Promise<Cluster> {
  return joinCluster({ url: server.url, name, leaseTtl: 2_000, replicas: 1, log });
}

test("a node that is still starting takes over the shards of another node that leaves", async () => {
  const server = await NatsServer.start();
  const [here, there] = [await joined(server, "here"), await joined(server, "there")];
  try {
    await there.join(member("there"));
    while (here.members().length === 0) await Bun.sleep(10);
    const membership = new Membership(here, member("here"), log);
    const [worker = ""] = workerNames("here", 1);
    expect(membership.wanted(worker).length).toBeLessThan(addressLimits.shards);
    await there.leave();
    while (here.members().length > 0) await Bun.sleep(10);
    let wanted = membership.wanted(worker);
    await membership.join(
      () => {
        wanted = membership.wanted(worker);
      },
      async () => [],
    );
    expect(wanted).toHaveLength(addressLimits.shards);
    await membership.leave();
  } finally {
    await here.close();
    await there.close();
    await server.close();
  }
});
