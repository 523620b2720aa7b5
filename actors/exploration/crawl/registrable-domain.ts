/**
 * The registrable domain of a host by the public suffix list (publicsuffix.org): `example.co.uk` of
 * `docs.example.co.uk`. The list takes 8 MB per thread, so it is loaded only when a job needs it.
 */
import type { DomainOf } from "../../../machines/exploration/scope.ts";

export async function loadDomains(): Promise<DomainOf> {
  const { getDomain } = await import("tldts");
  // Suffixes of hosting companies count: two of their customers are two sites.
  return (host) => getDomain(host, { allowPrivateDomains: true });
}
