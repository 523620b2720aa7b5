/**
 * Compares an address with the hosts to which a secret is restricted, or with a text in which `*` stands for
 * any characters.
 */

/** Whether an address contains a text. A `*` in the text stands for any characters. */
export function addressContains(url: string, wanted: string): boolean {
  const parts = wanted.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join(".*")).test(url);
}

/**
 * Whether a secret that is restricted to hosts may be typed at an address. A host without a port matches
 * every port, and `*.example.com` matches every subdomain.
 */
export function isBoundTo(hosts: readonly string[], url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname, protocol } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return false;
  return hosts.some((bound) => {
    const wanted = bound.toLowerCase();
    if (wanted.startsWith("*.")) return hostname.endsWith(wanted.slice(1));
    return wanted === host || wanted === hostname;
  });
}
