/**
 * Classifies IP addresses as public, loopback, private or metadata service. An IPv6 address that contains an
 * IPv4 address (mapped, NAT64, 6to4 and others) is classified by that address, so no notation bypasses the
 * policy. Unknown addresses are not public.
 */

export interface Address {
  readonly version: 4 | 6;
  readonly bits: bigint;
}

/** A CIDR block such as `10.0.0.0/8`. */
export interface AddressRange {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * `private`: addresses of private networks. `reserved`: addresses that no host of the internet has, such as
 * multicast or documentation addresses. `unspecified`: addresses that mean "any address", such as 0.0.0.0.
 */
export type AddressKind =
  | "public"
  | "loopback"
  | "private"
  | "reserved"
  | "link_local"
  | "metadata"
  | "unspecified";

const IPV4_BITS = 0xffff_ffffn;

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let bits = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    bits = (bits << 8n) | BigInt(part);
  }
  return bits;
}

function parseIpv6(text: string): bigint | undefined {
  const [, start, dotted] = /^(.*:)([\d.]+)$/.exec(text) ?? [];
  if (start !== undefined && dotted?.includes(".")) {
    const ending = parseIpv4(dotted);
    if (ending === undefined) return undefined;
    return parseIpv6(`${start}${(ending >> 16n).toString(16)}:${(ending & 0xffffn).toString(16)}`);
  }
  const [front, back, ...more] = text.split("::").map((part) => (part === "" ? [] : part.split(":")));
  if (!front || more.length > 0) return undefined;
  const missing = 8 - front.length - (back?.length ?? 0);
  if (back ? missing < 1 : missing !== 0) return undefined;
  const groups = [...front, ...Array<string>(missing).fill("0"), ...(back ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/**
 * Parses an address as resolvers and URLs write it: dotted IPv4, or IPv6 with or without brackets and zone.
 * Returns `undefined` for a host name. The URL parser has already converted other IPv4 notations.
 */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(":")) {
    const bits = parseIpv4(text);
    return bits === undefined ? undefined : { version: 4, bits };
  }
  const bits = parseIpv6(text.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, ""));
  return bits === undefined ? undefined : { version: 6, bits };
}

/** Parses `10.0.0.0/8` or a single address; returns `undefined` for other text. */
export function parseRange(text: string): AddressRange | undefined {
  const [, name = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = parseAddress(name);
  if (!address) return undefined;
  const width = address.version === 4 ? 32 : 128;
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width) return undefined;
  const hosts = (1n << BigInt(width - prefix)) - 1n;
  return { version: address.version, first: address.bits & ~hosts, last: address.bits | hosts };
}

export function isWithin({ version, bits }: Address, range: AddressRange): boolean {
  return version === range.version && range.first <= bits && bits <= range.last;
}

function range(text: string): AddressRange {
  const parsed = parseRange(text);
  if (!parsed) throw new Error(`${text} is no address range`);
  return parsed;
}

function table(rows: readonly (readonly [AddressKind, ...string[]])[]): readonly {
  readonly kind: AddressKind;
  readonly range: AddressRange;
}[] {
  return rows.flatMap(([kind, ...ranges]) => ranges.map((text) => ({ kind, range: range(text) })));
}

/**
 * Address ranges with their kinds. The first range that contains an address decides. Sources: the IANA
 * special-purpose registries, and the manuals of cloud providers for metadata services.
 */
const KINDS = table([
  [
    "metadata",
    "169.254.169.254", // Metadata service of AWS, Azure, Google and most other clouds
    "100.100.100.200", // Metadata service of Alibaba
    "192.0.0.192", // Metadata service of Oracle
    "168.63.129.16", // Host service of Azure
    "fd00:ec2::254", // Metadata service of AWS
    "fd20:ce::254", // Metadata service of Google
    "fd00:42::42", // Metadata service of Scaleway
  ],
  ["link_local", "169.254.0.0/16", "fe80::/10"],
  ["loopback", "127.0.0.0/8", "::1"],
  ["unspecified", "0.0.0.0/8", "::"],
  ["private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
  ["reserved", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24"],
  ["reserved", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ["reserved", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "ff00::/8"],
  ["public", "0.0.0.0/0", "2000::/3"],
  // All other IPv6 addresses: this part of the address space is not assigned.
  ["reserved", "::/0"],
]);

/**
 * IPv6 ranges in which each address contains an IPv4 address. `shift`: number of bits after the IPv4 address.
 */
const WRAPPERS: readonly {
  readonly range: AddressRange;
  readonly shift: bigint;
  readonly public: boolean;
}[] = [
  { range: range("::ffff:0:0/96"), shift: 0n, public: true }, // IPv4-mapped addresses, RFC 4291
  { range: range("::ffff:0:0:0/96"), shift: 0n, public: true }, // IPv4-translated addresses, RFC 2765
  { range: range("64:ff9b::/96"), shift: 0n, public: true }, // NAT64 addresses, RFC 6052
  { range: range("2002::/16"), shift: 80n, public: true }, // 6to4 addresses, RFC 3056
  { range: range("64:ff9b:1::/48"), shift: 0n, public: false }, // NAT64 of a private network, RFC 8215
  { range: range("::/96"), shift: 0n, public: false }, // IPv4-compatible addresses, deprecated by RFC 4291
];

const TEREDO = range("2001::/32");
/** The interface identifiers of ISATAP addresses (RFC 5214), which may follow any prefix. */
const ISATAP = new Set([0x0000_5efen, 0x0200_5efen]);

/**
 * Returns the IPv4 address that an IPv6 address contains (`inner`). `public` says whether the IPv6 address
 * counts as public if `inner` is public.
 */
function wrapped({
  version,
  bits,
}: Address): { readonly inner: Address; readonly public: boolean } | undefined {
  if (version === 4 || bits <= 1n) return undefined;
  const found = WRAPPERS.find((wrapper) => isWithin({ version, bits }, wrapper.range));
  if (found) {
    return { inner: { version: 4, bits: (bits >> found.shift) & IPV4_BITS }, public: found.public };
  }
  // A Teredo address (RFC 4380) contains the client's IPv4 address with inverted bits.
  if (isWithin({ version, bits }, TEREDO)) {
    return { inner: { version: 4, bits: ~bits & IPV4_BITS }, public: false };
  }
  if (ISATAP.has((bits >> 32n) & IPV4_BITS)) {
    return { inner: { version: 4, bits: bits & IPV4_BITS }, public: false };
  }
  return undefined;
}

function ownKind(address: Address): AddressKind {
  return KINDS.find((row) => isWithin(address, row.range))?.kind ?? "reserved";
}

/**
 * Returns the kind of an address, and the address that determines the kind. For an IPv6 address that contains
 * an IPv4 address, the IPv4 address determines it.
 */
export function classify(address: Address): { readonly kind: AddressKind; readonly address: Address } {
  const own = ownKind(address);
  const inside = wrapped(address);
  if (!inside) return { kind: own, address };
  const kind = ownKind(inside.inner);
  if (kind !== "public") return { kind, address: inside.inner };
  return { kind: inside.public ? "public" : own, address };
}
