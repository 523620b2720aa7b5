/**
 * The egress policy: which hosts Cairn may connect to, for whomever it explores. Pure.
 *
 * A page, a redirect or a caller may name any host, and Cairn stands where its owner's network is. Link-local
 * addresses and metadata services are refused always, private networks unless a setting allows them, this machine
 * unless Cairn itself serves this machine only. `actors/egress/` resolves names and holds connections to it.
 */
import { Refused } from "../errors.ts";
import { type AddressKind, classify, isWithin, parseAddress, parseRange } from "./address.ts";
import { isBadPort } from "./ports.ts";

/** Plain data: it travels to the workers. */
export interface EgressPolicy {
  /** Whether loopback addresses may be reached: only while Cairn itself is bound to loopback. */
  readonly loopback: boolean;
  /** Ranges of private and reserved addresses that may be reached, such as `10.0.0.0/8`. */
  readonly allowPrivate: readonly string[];
}

/** Every private and reserved address; it opens nothing that is refused always. */
export const ALL_PRIVATE: readonly string[] = ["0.0.0.0/0", "::/0"];

/** Names under which clouds offer their metadata service; `metadata` alone is completed by their resolvers. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
  "metadata.packet.net",
]);

type Ground = Exclude<AddressKind, "public"> | "port" | "scheme";

function remedy(ground: Ground): string {
  switch (ground) {
    case "loopback":
      return "this machine itself, which is explored only while Cairn listens on loopback (HOST)";
    case "private":
    case "reserved":
      return `a ${ground} address. Set CAIRN_ALLOW_PRIVATE to yes, or to ranges such as 10.0.0.0/8, if Cairn is meant to reach it`;
    case "link_local":
    case "metadata":
      return `a ${ground === "metadata" ? "cloud's metadata" : "link-local"} address, which is never opened. Explore another host`;
    case "unspecified":
      return "an address that names no host. Use the one the server really listens on, such as 127.0.0.1";
    case "port":
      return "a port that browsers refuse, since no web server listens there. Serve the site on another port";
    case "scheme":
      return "neither http nor https, and nothing else is opened";
  }
}

function refusal(host: string, what: string, ground: Ground): Refused {
  return new Refused("egress.refused", `${what} is ${remedy(ground)}.`, {
    status: 403,
    details: { host, ground },
  });
}

/** Why an address may not be connected to, as the policy's ground; `undefined` when it may. */
function groundAgainst(text: string, policy: EgressPolicy): Ground | undefined {
  const parsed = parseAddress(text);
  if (!parsed) return "reserved";
  const { kind, address } = classify(parsed);
  switch (kind) {
    case "public":
      return undefined;
    case "loopback":
      return policy.loopback ? undefined : kind;
    case "private":
    case "reserved": {
      const allowed = policy.allowPrivate.some((text) => {
        const range = parseRange(text);
        return range !== undefined && isWithin(address, range);
      });
      return allowed ? undefined : kind;
    }
    default:
      return kind;
  }
}

/** A host of a URL in one form: lower case, without brackets and a closing dot. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** `localhost` and every name under it, which are this machine by RFC 6761 whatever a resolver says. */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * Refuses what can be told from the URL alone: scheme, port, names of metadata services, addresses, `localhost`.
 *
 * @throws Refused `egress.refused` (403)
 */
export function assertUrlAllowed(url: URL, policy: EgressPolicy): void {
  const host = plainHost(url.hostname);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refusal(host, url.protocol, "scheme");
  if (url.port !== "" && isBadPort(Number(url.port)))
    throw refusal(host, `Port ${url.port} of ${host}`, "port");
  if (METADATA_NAMES.has(host)) throw refusal(host, host, "metadata");
  if (isLocalName(host) && !policy.loopback) throw refusal(host, host, "loopback");
  if (!parseAddress(host)) return;
  const ground = groundAgainst(host, policy);
  if (ground) throw refusal(host, host, ground);
}

/**
 * The addresses of a host that may be connected to, in the order given.
 *
 * @param host as it was asked for, for the message
 * @throws Refused `egress.refused` (403) when there are some and none may
 */
export function allowedAddresses(
  host: string,
  addresses: readonly string[],
  policy: EgressPolicy,
): readonly string[] {
  const allowed = addresses.filter((address) => groundAgainst(address, policy) === undefined);
  const [first] = addresses;
  if (allowed.length > 0 || first === undefined) return allowed;
  const ground = groundAgainst(first, policy) ?? "reserved";
  throw refusal(host, first === host ? host : `${host} (${first})`, ground);
}

/** What is wrong with a range of the setting, in words; `undefined` when it can be allowed. */
export function rangeProblem(text: string): string | undefined {
  const range = parseRange(text);
  if (!range) return `"${text}" is not a range of addresses such as 10.0.0.0/8`;
  const { kind } = classify({ version: range.version, bits: range.first });
  if (kind === "private" || kind === "reserved") return undefined;
  return `"${text}" does not begin with a private address: ${kind === "public" ? "public ones are allowed anyway" : "it cannot be allowed"}`;
}
