/**
 * The port through which connections resolve hosts: addresses that the policy has checked.
 * The caller connects to exactly the returned address, so a name that changes a moment later gains nothing.
 */
export interface Destinations {
  /**
   * The allowed addresses of a URL's host, best first, at least one. Synchronous when they are cached, which
   * is the common case.
   *
   * Throws or rejects with `egress.refused` (`Refused`), or with the resolver's error for an unknown host.
   */
  addressesOf(url: URL): readonly string[] | Promise<readonly string[]>;
  /** Reports an address that does not answer; the host's other addresses are preferred from now on. */
  avoid(url: URL, address: string): void;
}
