/**
 * Represents this node as a member of its cluster. It publishes the facts about this node, computes the
 * node's share of the shards (groups of actors), and requests the reports of the other nodes. Shards are
 * assigned to workers again whenever a node joins or leaves.
 */

import type { Nodes } from "../../machines/runtime/runtime-administration-schemas.ts";
import { workerLimits } from "../runtime/actor-runtime-limits.ts";
import {
  type Cluster,
  failure,
  type Log,
  type Member,
  missingRoles,
  placement,
  type WorkerReport,
} from "../runtime/index.ts";

type NodeInfo = Nodes["nodes"][number];

/** Returns the message subject on which a node answers requests for its report. */
const subjectOf = (name: string) => `cairn.node.${name}`;
const moment = (milliseconds: number) => new Date(milliseconds).toISOString();

export class Membership {
  readonly #cluster: Cluster;
  #self: Member;
  readonly #log: Log;
  #placed: ReadonlyMap<string, readonly number[]>;
  #stopAnswering = () => {};

  constructor(cluster: Cluster, self: Member, log: Log) {
    this.#cluster = cluster;
    this.#self = self;
    this.#log = log;
    this.#placed = placement(this.#all);
  }

  /** Returns the numbers of the shards that are assigned to a worker of this node. */
  wanted(worker: string): readonly number[] {
    return this.#placed.get(worker) ?? [];
  }

  /** Whether all nodes of the cluster have the same encryption key. */
  get oneKey(): boolean {
    const { vault } = this.#self;
    return vault !== undefined && this.#all.every((member) => member.vault === vault);
  }

  /**
   * Joins the cluster. `reconsider` is called whenever this node's share of the shards changes.
   *
   * @param vault fingerprint of the encryption key, by which nodes compare their keys
   */
  async join(
    reconsider: () => void,
    reports: () => Promise<readonly WorkerReport[]>,
    vault?: string,
  ): Promise<void> {
    if (vault !== undefined) this.#self = { ...this.#self, vault };
    const share = () => {
      this.#placed = placement(this.#all);
      reconsider();
    };
    this.#cluster.onChange(() => {
      const { length } = this.#all;
      this.#log("info", "the nodes of the cluster have changed", { nodes: length });
      share();
    });
    // Other nodes may have left the cluster while this node's workers were starting, without a message to
    // this node. So its share of the shards is computed again.
    share();
    this.#stopAnswering = this.#cluster.bus.respond(subjectOf(this.#self.name), async () => ({
      ok: true,
      body: this.#describe(await reports()),
    }));
    await this.#cluster.join(this.#self);
    const { name, roles } = this.#self;
    if (this.#cluster.broker()) {
      this.#log("info", "joined the cluster", {
        node: name,
        roles: roles.join(","),
        nodes: this.#all.length,
      });
    }
  }

  /** Leaves the cluster, so that other nodes take over the shards of this node. */
  async leave(): Promise<void> {
    this.#stopAnswering();
    await this.#cluster.leave().catch((error) => {
      // The error is only logged, because the other nodes detect the end of this node anyway: they receive no
      // more reports from it.
      this.#log("warn", "the other nodes could not be notified that this node leaves", {
        error: String(error),
      });
    });
  }

  /**
   * Requests the report of every node. For a node that does not answer, returns the facts that the cluster has
   * about this member.
   */
  async nodes(reports: () => Promise<readonly WorkerReport[]>): Promise<readonly NodeInfo[]> {
    return await Promise.all(
      this.#all.map(async (member) => {
        if (member.name === this.#self.name) return { ...this.#describe(await reports()), self: true };
        const answer = await this.#cluster.bus
          .request(subjectOf(member.name), null, workerLimits.reportWithin)
          .catch(failure);
        // The cast is safe: a `Membership` on another node created the answer, and the gateway's output
        // schema checks it.
        return answer.ok ? (answer.body as NodeInfo) : nodeInfoOf(member, []);
      }),
    );
  }

  /**
   * Returns whether this node is connected to its cluster, with a text about the cluster; `undefined` for a
   * single node. A role that no node has does not count as a problem: the text only mentions it.
   */
  ready(): { readonly ok: boolean; readonly detail: string } | undefined {
    const broker = this.#cluster.broker();
    if (!broker?.ok) return broker;
    const missing = missingRoles(this.#all);
    const nodes = `${broker.detail}, ${this.#all.length} ${this.#all.length === 1 ? "node" : "nodes"}`;
    if (missing.length === 0) return { ok: true, detail: nodes };
    return { ok: true, detail: `${nodes}, none of them with the role ${missing.join(" or ")}` };
  }

  /**
   * Returns all nodes. This node is always in the list, even before it has joined the cluster: its workers
   * need their shards from the start.
   */
  get #all(): readonly Member[] {
    const others = this.#cluster.members().filter(({ name }) => name !== this.#self.name);
    return [this.#self, ...others];
  }

  #describe(reports: readonly WorkerReport[]): NodeInfo {
    return nodeInfoOf(this.#self, reports);
  }
}

function nodeInfoOf(member: Member, reports: readonly WorkerReport[]): NodeInfo {
  const workers = reports.map(({ host, ...worker }) => ({
    ...worker,
    shards: [...(host?.shards ?? [])].sort((a, b) => a - b),
    actors: host?.actors ?? 0,
  }));
  const { name, version, roles, since } = member;
  const shards = workers.reduce((sum, worker) => sum + worker.shards.length, 0);
  return { name, self: false, version, roles: [...roles], since: moment(since), shards, workers };
}
