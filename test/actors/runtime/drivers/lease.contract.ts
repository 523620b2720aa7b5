/** What every lease table promises, held against each driver. Time is moved by `pass`, on whatever clock it uses. */
import { beforeEach, describe, expect, test } from "bun:test";
import type { LeaseTable } from "../../../../actors/runtime/index.ts";

export interface LeaseSubject {
  readonly leases: LeaseTable;
  readonly ttl: number;
  readonly pass: (milliseconds: number) => Promise<void>;
}

export function holdsTheLeaseContract(name: string, open: () => Promise<LeaseSubject>): void {
  describe(name, () => {
    let subject: LeaseSubject;
    beforeEach(async () => {
      subject = await open();
    });

    test("a lease belongs to the first who takes it, and to nobody else while it lasts", async () => {
      const { leases } = subject;
      expect(await leases.take([1, 2], "a")).toEqual([1, 2]);
      expect(await leases.take([1, 2, 3], "b")).toEqual([3]);
      expect(await leases.renew([1, 3], "b")).toEqual([3]);
    });

    test("an owner who takes its own lease again holds it longer", async () => {
      const { leases, ttl, pass } = subject;
      await leases.take([1], "a");
      await pass(ttl * 0.7);
      expect(await leases.take([1], "a")).toEqual([1]);
      await pass(ttl * 0.7);
      expect(await leases.take([1], "b")).toEqual([]);
    });

    test("a lease that is renewed lasts; one that is not is free when its time is over", async () => {
      const { leases, ttl, pass } = subject;
      await leases.take([1, 2], "a");
      await pass(ttl * 0.7);
      expect(await leases.renew([1], "a")).toEqual([1]);
      await pass(ttl * 0.7);
      expect(await leases.take([1, 2], "b")).toEqual([2]);
    });

    test("a lease that ran out cannot be renewed, even when nobody took it", async () => {
      const { leases, ttl, pass } = subject;
      await leases.take([1], "a");
      await pass(ttl * 1.5);
      expect(await leases.renew([1], "a")).toEqual([]);
      expect(await leases.take([1], "a")).toEqual([1]);
    });

    test("a lease that is given back is free at once, but only its owner can give it back", async () => {
      const { leases } = subject;
      await leases.take([1], "a");
      await leases.release([1], "b");
      expect(await leases.take([1], "b")).toEqual([]);
      await leases.release([1], "a");
      expect(await leases.take([1], "b")).toEqual([1]);
    });

    test("what was never taken cannot be renewed, and giving it back is nothing", async () => {
      const { leases } = subject;
      expect(await leases.renew([7], "a")).toEqual([]);
      await leases.release([7], "a");
      expect(await leases.take([], "a")).toEqual([]);
    });
  });
}
