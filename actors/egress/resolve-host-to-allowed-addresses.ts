/**
 * Resolves a URL's host to addresses that the policy allows. A lookup is cached for a short time. The caller
 * must connect to one of the returned addresses, so that no second lookup can return another address.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Destinations } from "../../machines/egress/checked-host-resolver-interface.ts";
import {
  allowedAddresses,
  assertUrlAllowed,
  type EgressPolicy,
  isLocalName,
  plainHost,
} from "../../machines/egress/egress-policy.ts";
import { egressLimits } from "./egress-limits.ts";

/** Returns all addresses of a host name, in the order in which they are tried. Rejects when there is none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface ResolverOptions {
  readonly policy: EgressPolicy;
  /**
   * The function for the DNS lookup. The default uses the system resolver, and puts IPv4 addresses first,
   * because IPv6 is often only partly available.
   */
  readonly lookup?: Lookup;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const systemLookup: Lookup = async (host) =>
  (await lookup(host, { all: true, order: "ipv4first" })).map(({ address }) => address);

interface Known {
  readonly addresses: readonly string[];
  readonly until: number;
}

export function createDestinations(options: ResolverOptions): Destinations {
  return new Resolver(options);
}

class Resolver implements Destinations {
  readonly #policy: EgressPolicy;
  readonly #lookup: Lookup;
  readonly #now: () => number;
  /**
   * The cached IP addresses of each origin, oldest origin first. The key includes scheme and port, because the policy checks
   * them too.
   */
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<readonly string[]>>();

  constructor({ policy, lookup = systemLookup, now = () => performance.now() }: ResolverOptions) {
    this.#policy = policy;
    this.#lookup = lookup;
    this.#now = now;
  }

  addressesOf(url: URL): readonly string[] | Promise<readonly string[]> {
    const { origin } = url;
    const known = this.#known.get(origin);
    if (known && known.until > this.#now()) return known.addresses;
    assertUrlAllowed(url, this.#policy);
    const host = plainHost(url.hostname);
    // The host is an IP address, so no lookup is needed. The address was checked together with the URL.
    if (isIP(host) !== 0)
      return this.#remember(origin, { addresses: [host], until: Number.POSITIVE_INFINITY });
    const asking = this.#asking.get(origin);
    if (asking) return asking;
    const asked = this.#ask(url, host).finally(() => this.#asking.delete(origin));
    this.#asking.set(origin, asked);
    return asked;
  }

  avoid({ origin }: URL, address: string): void {
    const known = this.#known.get(origin);
    if (!known?.addresses.includes(address)) return;
    const others = known.addresses.filter((other) => other !== address);
    this.#known.set(origin, { ...known, addresses: [...others, address] });
  }

  async #ask(url: URL, host: string): Promise<readonly string[]> {
    const { origin, hostname } = url;
    // Unlike `host`, `hostname` may end in a dot. The dot prevents the resolver from appending a search
    // domain.
    const found = isLocalName(host) ? ["127.0.0.1", "::1"] : await this.#lookup(hostname);
    const addresses = allowedAddresses(url, found, this.#policy);
    if (addresses.length === 0) throw new Error(`ENOTFOUND: ${host} has no address`);
    return this.#remember(origin, { addresses, until: this.#now() + egressLimits.cacheFor });
  }

  #remember(origin: string, known: Known): readonly string[] {
    this.#known.delete(origin);
    this.#known.set(origin, known);
    if (this.#known.size > egressLimits.origins) {
      const oldest = this.#known.keys().next();
      if (!oldest.done) this.#known.delete(oldest.value);
    }
    return known.addresses;
  }
}
