/**
 * The port through which readers and proxies learn where a host is: its addresses, checked against the policy.
 *
 * Whoever connects takes an address from here and connects to that very one, so that a name which resolves to
 * something else a moment later gains nothing. Implemented by `actors/egress/resolver.ts`.
 */
export interface Destinations {
  /**
   * The addresses of a URL's host that may be connected to, the best first, at least one. No promise when they
   * are known already: most requests go where one went before.
   *
   * Throws or rejects with `egress.refused` (`Refused`), or with the resolver's error when there is no such host.
   */
  addressesOf(url: URL): readonly string[] | Promise<readonly string[]>;
  /** The address does not answer: the host's others come before it from now on. */
  avoid(url: URL, address: string): void;
}
