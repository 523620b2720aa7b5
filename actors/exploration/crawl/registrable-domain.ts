/**
 * The registrable domain of a host, by the public suffix list (publicsuffix.org): `example.co.uk` of
 * `docs.example.co.uk`. The list takes 8 MB of each thread that has it, so it is loaded for the jobs that ask.
 */
import type { DomainOf } from "../../../machines/exploration/scope.ts";

export async function loadDomains(): Promise<DomainOf> {
  const { getDomain } = await import("tldts");
  // Suffixes of hosting companies count: two customers of one are two sites.
  return (host) => getDomain(host, { allowPrivateDomains: true });
}
