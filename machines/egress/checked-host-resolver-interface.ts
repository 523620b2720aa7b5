/**
 * The interface of the resolver that returns only addresses which the egress policy has checked. The caller
 * connects to exactly the returned address, so a later change of the name's DNS record cannot bypass the policy.
 */
export interface Destinations {
  /**
   * The allowed addresses of a URL's host, best first, and at least one. The result is returned synchronously
   * if the addresses are cached, which is the usual case.
   *
   * The method throws or rejects with `egress.refused` (`Refused`), or with the resolver's error for an
   * unknown host.
   */
  addressesOf(url: URL): readonly string[] | Promise<readonly string[]>;
  /** Reports that an address does not answer. Later connections prefer the other addresses of the host. */
  avoid(url: URL, address: string): void;
}
