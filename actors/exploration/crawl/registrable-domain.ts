/**
 * Returns the registrable domain of a host by the public suffix list (publicsuffix.org): for
 * `docs.example.co.uk` it is `example.co.uk`. The list takes 8 MB in each thread, so it is loaded with the
 * first job that needs it.
 */
import type { DomainOf } from "../../../machines/exploration/exploration-scope.ts";

export async function loadDomains(): Promise<DomainOf> {
  const { getDomain } = await import("tldts");
  // Domains of hosting companies, such as `github.io`, count as public suffixes, because two customers of one
  // company have two separate sites.
  return (host) => getDomain(host, { allowPrivateDomains: true });
}
