/**
 * The egress policy decides to which hosts Cairn may connect, because pages and callers may name any host.
 * Link-local addresses and metadata services are always refused. Private networks need a setting, and
 * loopback is allowed only if Cairn itself serves only loopback.
 */
import { Refused } from "../errors.ts";
import { type AddressKind, classify, isWithin, parseAddress, parseRange } from "./ip-address.ts";
import { isBadPort } from "./ports-that-browsers-refuse.ts";

/** The egress policy as plain data, so that it can be sent to worker threads. */
export interface EgressPolicy {
  /**
   * Whether connections to loopback addresses are allowed. They are allowed only while Cairn itself listens
   * on loopback.
   */
  readonly loopback: boolean;
  /** Ranges of private and reserved addresses that are allowed, such as `10.0.0.0/8`. */
  readonly allowPrivate: readonly string[];
  /**
   * The address and port on which this Cairn instance listens. Connections to them are refused, because a
   * page must not control Cairn.
   */
  readonly own?: OwnListener | undefined;
}

export interface OwnListener {
  readonly port: number;
  /** Addresses of the machine on which Cairn runs, except loopback addresses. */
  readonly addresses: readonly string[];
}

/**
 * A policy that allows all private and reserved addresses. Link-local addresses and metadata services stay
 * refused.
 */
export const ALL_PRIVATE: readonly string[] = ["0.0.0.0/0", "::/0"];

/**
 * Host names of the metadata services of clouds. The short name `metadata` is listed because name servers in
 * clouds complete it to a full name.
 */
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

type Ground = Exclude<AddressKind, "public"> | "own" | "port" | "scheme";

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
    case "own":
      return "this Cairn itself, which is not explored. Set CAIRN_ALLOW_SELF=yes if it is meant to be";
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

/** Whether this Cairn instance itself listens on the address and port. */
function isOwn(address: string, kind: AddressKind, port: number, { own }: EgressPolicy): boolean {
  return own?.port === port && (kind === "loopback" || own.addresses.includes(address));
}

/** Returns the port of a URL; the default port of the scheme if the URL names none. */
function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Returns why connections to an address are refused; `undefined` when they are allowed. */
function refusalGround(text: string, port: number, policy: EgressPolicy): Ground | undefined {
  const parsed = parseAddress(text);
  if (!parsed) return "reserved";
  const { kind, address } = classify(parsed);
  if (isOwn(text, kind, port, policy)) return "own";
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

/** Returns the host of a URL in canonical form: lower case, without brackets and without a final dot. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/**
 * Whether a host is `localhost` or ends in `.localhost`. By RFC 6761 these names are loopback, even if a
 * resolver answers otherwise.
 */
export function isLocalName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * Throws if a URL is refused for a reason that is known without resolving its host: the scheme, the port, a
 * metadata service, an IP address or `localhost`.
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
  if (isLocalName(host) && policy.own?.port === portOf(url)) throw refusal(host, url.host, "own");
  if (!parseAddress(host)) return;
  const ground = refusalGround(host, portOf(url), policy);
  if (ground) throw refusal(host, host, ground);
}

/**
 * Returns only the allowed addresses of a URL's host, in the given order.
 *
 * @throws Refused `egress.refused` (403) when no address is allowed
 */
export function allowedAddresses(
  url: URL,
  addresses: readonly string[],
  policy: EgressPolicy,
): readonly string[] {
  const host = plainHost(url.hostname);
  const port = portOf(url);
  const allowed = addresses.filter((address) => refusalGround(address, port, policy) === undefined);
  const [first] = addresses;
  if (allowed.length > 0 || first === undefined) return allowed;
  const ground = refusalGround(first, port, policy) ?? "reserved";
  throw refusal(host, first === host ? host : `${host} (${first})`, ground);
}

/** Describes what is wrong with an address range in the settings; `undefined` when the range is valid. */
export function rangeProblem(text: string): string | undefined {
  const range = parseRange(text);
  if (!range) return `"${text}" is not a range of addresses such as 10.0.0.0/8`;
  const { kind } = classify({ version: range.version, bits: range.first });
  if (kind === "private" || kind === "reserved") return undefined;
  return `"${text}" does not begin with a private address: ${kind === "public" ? "public ones are allowed anyway" : "it cannot be allowed"}`;
}
