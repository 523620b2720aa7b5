/**
 * The tests that every lease table must pass. Each driver's test file runs them. `pass` advances the clock of
 * the lease table.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import type { NodeLeases } from "../../../../actors/runtime/index.ts";

export interface LeaseSubject {
  readonly leases: NodeLeases;
  readonly ttl: number;
  /** Returns the monotonic time of the lease table's clock. */
  readonly now: () => number;
  readonly pass: (milliseconds: number) => Promise<void>;
}

export function holdsTheLeaseContract(name: string, open: () => Promise<LeaseSubject>): void {
  describe(name, () => {
    let subject: LeaseSubject;
    beforeEach(async () => {
      subject = await open();
    });

    test("a lease belongs to the first owner that acquires it, until it expires", async () => {
      const { leases } = subject;
      expect(await leases.take([1, 2], "a")).toEqual([1, 2]);
      expect(await leases.take([1, 2, 3], "b")).toEqual([3]);
      expect(await leases.renew([1, 3], "b")).toEqual([3]);
    });

    test("an owner that acquires its own lease again extends it", async () => {
      const { leases, ttl, pass } = subject;
      await leases.take([1], "a");
      await pass(ttl * 0.7);
      expect(await leases.take([1], "a")).toEqual([1]);
      await pass(ttl * 0.7);
      expect(await leases.take([1], "b")).toEqual([]);
    });

    test("a renewed lease lasts, and one that is not renewed expires", async () => {
      const { leases, ttl, pass } = subject;
      await leases.take([1, 2], "a");
      await pass(ttl * 0.7);
      expect(await leases.renew([1], "a")).toEqual([1]);
      await pass(ttl * 0.7);
      expect(await leases.take([1, 2], "b")).toEqual([2]);
    });

    test("an owner cannot renew an expired lease that another owner has acquired, even if that owner has released it", async () => {
      const { leases, ttl, pass } = subject;
      await leases.take([1, 2], "a");
      await pass(ttl * 1.5);
      expect(await leases.take([1, 2], "b")).toEqual([1, 2]);
      await leases.release([2], "b");
      expect(await leases.renew([1, 2], "a")).toEqual([]);
    });

    test("leases that are extended for a busy owner remain valid, but the owner counts as silent until it sends a request", async () => {
      const { leases, ttl, pass, now } = subject;
      await leases.take([1, 2], "busy");
      await leases.take([3], "other");
      await leases.releaseAll("other");
      const since = now();
      await pass(ttl * 0.7);
      await leases.extend("busy");
      await pass(ttl * 0.7);
      expect(await leases.take([1, 2, 3], "b")).toEqual([3]);
      expect(leases.isSilentSince("busy", since)).toBe(true);
      expect(leases.isSilentSince("other", since)).toBe(false);
      expect(await leases.renew([1, 2], "busy")).toEqual([1, 2]);
      expect(leases.isSilentSince("busy", since)).toBe(false);
    });

    test("a released lease is free immediately, and only its owner can release it", async () => {
      const { leases } = subject;
      await leases.take([1], "a");
      await leases.release([1], "b");
      expect(await leases.take([1], "b")).toEqual([]);
      await leases.release([1], "a");
      expect(await leases.take([1], "b")).toEqual([1]);
    });

    test("a lease that was never acquired cannot be renewed, and releasing it has no effect", async () => {
      const { leases } = subject;
      expect(await leases.renew([7], "a")).toEqual([]);
      await leases.release([7], "a");
      expect(await leases.take([], "a")).toEqual([]);
    });
  });
}
