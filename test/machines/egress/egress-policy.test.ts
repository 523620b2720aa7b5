import { describe, expect, test } from "bun:test";
import {
  ALL_PRIVATE,
  allowedAddresses,
  assertUrlAllowed,
  type EgressPolicy,
  rangeProblem,
} from "../../../machines/egress/egress-policy.ts";
import { classify, parseAddress, parseRange } from "../../../machines/egress/ip-address.ts";

const closed: EgressPolicy = { loopback: false, allowPrivate: [] };
const local: EgressPolicy = { loopback: true, allowPrivate: [] };
const open: EgressPolicy = { loopback: true, allowPrivate: ALL_PRIVATE };

/** Returns why a URL is refused; `undefined` when it is allowed. */
function ground(url: string, policy: EgressPolicy): unknown {
  try {
    assertUrlAllowed(new URL(url), policy);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: "egress.refused", status: 403 });
    return (error as { details: { ground: string } }).details.ground;
  }
}

function kindOf(text: string): string {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return classify(address).kind;
}

describe("the egress policy for Cairn's own address and port", () => {
  const policy: EgressPolicy = { ...open, own: { port: 8000, addresses: ["192.168.1.7", "93.184.215.14"] } };

  test.each([
    "http://127.0.0.1:8000/",
    "http://localhost:8000/api",
    "http://cairn.localhost:8000/",
    "http://[::1]:8000/",
    "http://2130706433:8000/",
    "http://192.168.1.7:8000/",
    "http://93.184.215.14:8000/",
  ])("refuses the URL %s", (url) => {
    expect(ground(url, policy)).toBe("own");
  });

  test.each([
    "http://127.0.0.1:8001/",
    "http://localhost/",
    "http://192.168.1.8:8000/",
    "https://a.example:8000/",
  ])("allows the URL %s, on which Cairn does not listen", (url) => {
    expect(ground(url, policy)).toBeUndefined();
  });

  test("refuses every host name that resolves to Cairn's own address", () => {
    expect(() => allowedAddresses(new URL("http://a.example:8000/"), ["127.0.0.1"], policy)).toThrow(
      "CAIRN_ALLOW_SELF",
    );
    expect(allowedAddresses(new URL("http://a.example/"), ["127.0.0.1"], policy)).toEqual(["127.0.0.1"]);
    const standard = { ...open, own: { port: 80, addresses: [] } };
    expect(ground("http://localhost/", standard)).toBe("own");
  });
});

describe("the classification of an IP address", () => {
  test.each([
    ["8.8.8.8", "public"],
    ["2606:4700:4700::1111", "public"],
    ["172.15.255.255", "public"],
    ["172.32.0.0", "public"],
    ["100.63.255.255", "public"],
    ["100.128.0.0", "public"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["::1", "loopback"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["fd12:3456::1", "private"],
    ["fc00::1", "private"],
    ["fec0::1", "private"],
    ["169.254.1.1", "link_local"],
    ["fe80::1", "link_local"],
    ["fe80::1%eth0", "link_local"],
    ["febf::1", "link_local"],
    ["169.254.169.254", "metadata"],
    ["100.100.100.200", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["168.63.129.16", "metadata"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    ["192.0.2.1", "reserved"],
    ["198.18.0.1", "reserved"],
    ["203.0.113.9", "reserved"],
    ["224.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["ff02::1", "reserved"],
    ["2001:db8::1", "reserved"],
    ["100::1", "reserved"],
    ["4000::1", "reserved"],
  ])("gives %s the class %s", (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each([
    ["::ffff:169.254.169.254", "metadata"],
    ["::ffff:a9fe:a9fe", "metadata"],
    ["::ffff:10.0.0.1", "private"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:8.8.8.8", "public"],
    ["::ffff:0:10.0.0.1", "private"],
    ["::10.0.0.1", "private"],
    ["::127.0.0.1", "loopback"],
    ["::8.8.8.8", "reserved"],
    ["64:ff9b::169.254.169.254", "metadata"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::8.8.8.8", "public"],
    ["64:ff9b:1::10.0.0.1", "private"],
    ["64:ff9b:1::8.8.8.8", "reserved"],
    ["2002:a9fe:a9fe::1", "metadata"],
    ["2002:0a00:0001::", "private"],
    ["2002:0808:0808::1", "public"],
    ["2001:0:4136:e378:8000:63bf:5601:5601", "metadata"],
    ["2001:0:4136:e378:8000:63bf:f7f7:f7f7", "reserved"],
    ["2606:4700::5efe:10.0.0.1", "private"],
    ["2606:4700::200:5efe:169.254.169.254", "metadata"],
    ["2606:4700::5efe:8.8.8.8", "public"],
    ["fe80::5efe:8.8.8.8", "link_local"],
  ])("uses the IPv4 address inside an IPv6 address: %s is %s", (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each([
    "example.com",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "01.2.3.4",
    "0x7f.1",
    "",
    "[::g]",
    "::1::2",
    "1.2.3.4:80",
  ])("rejects %j, which is not an IP address", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("the egress policy", () => {
  test.each([
    ["http://169.254.169.254/latest/meta-data/", "metadata"],
    ["http://[fe80::1]/", "link_local"],
    ["http://metadata.google.internal/computeMetadata/v1/", "metadata"],
    ["http://METADATA.google.internal./", "metadata"],
    ["http://metadata/", "metadata"],
    ["http://0.0.0.0:3000/", "unspecified"],
    ["http://[::]/", "unspecified"],
    ["http://[::ffff:169.254.169.254]/", "metadata"],
    ["http://2852039166/", "metadata"],
    ["http://0xa9fea9fe/", "metadata"],
    ["http://0251.0376.0251.0376/", "metadata"],
    ["http://169.254.43518/", "metadata"],
    ["http://１６９.254.169.254/", "metadata"],
    ["http://example.com:25/", "port"],
    ["https://example.com:6667/", "port"],
    ["ftp://example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
  ])("refuses %s whatever the settings allow", (url, expected) => {
    expect(ground(url, open)).toBe(expected);
  });

  test.each([
    "http://localhost/",
    "http://LOCALHOST.:8000/",
    "http://app.localhost/",
    "http://127.1/",
    "http://[::1]:80/",
  ])("refuses %s on loopback unless loopback is allowed", (url) => {
    expect(ground(url, closed)).toBe("loopback");
    expect(ground(url, { ...closed, allowPrivate: ALL_PRIVATE })).toBe("loopback");
    expect(ground(url, local)).toBeUndefined();
  });

  test.each([
    "http://10.1.2.3/",
    "http://192.168.0.1/",
    "http://[fd00::1]/",
    "http://100.64.0.1/",
    "http://[::ffff:10.1.2.3]/",
  ])("refuses %s on a private network unless private addresses are allowed", (url) => {
    expect(ground(url, local)).toBe("private");
    expect(ground(url, open)).toBeUndefined();
  });

  test("allows an address in an allowed range, in any notation", () => {
    const some: EgressPolicy = { loopback: false, allowPrivate: ["10.1.0.0/16", "fd12::/16"] };
    for (const url of [
      "http://10.1.9.9/",
      "http://[fd12::9]/",
      "http://[::ffff:10.1.9.9]/",
      "http://[64:ff9b::10.1.9.9]/",
    ]) {
      expect(ground(url, some)).toBeUndefined();
    }
    for (const url of ["http://10.2.0.1/", "http://[fd13::9]/", "http://192.168.0.1/"]) {
      expect(ground(url, some)).toBe("private");
    }
  });

  test("does not refuse a URL with a host name before that name is resolved", () => {
    expect(ground("https://example.com/", closed)).toBeUndefined();
    expect(ground("https://localhost.example.com/", closed)).toBeUndefined();
  });

  test("refuses with a message that states which setting permits the address", () => {
    expect(() => assertUrlAllowed(new URL("http://10.0.0.1/"), closed)).toThrow("CAIRN_ALLOW_PRIVATE");
    expect(() => assertUrlAllowed(new URL("http://localhost/"), closed)).toThrow("HOST");
    expect(() => assertUrlAllowed(new URL("http://0.0.0.0/"), closed)).toThrow("127.0.0.1");
  });
});

describe("filtering the addresses of a host name", () => {
  test("keeps the allowed addresses in order", () => {
    const found = ["10.0.0.1", "93.184.215.14", "::1", "2606:2800:21f::1"];
    expect(allowedAddresses(new URL("http://a.example/"), found, closed)).toEqual([
      "93.184.215.14",
      "2606:2800:21f::1",
    ]);
  });

  test("refuses the host if none of its addresses is allowed, with an error that names the first address", () => {
    const refuse = () => allowedAddresses(new URL("http://a.example/"), ["::ffff:10.0.0.1", "::1"], closed);
    expect(refuse).toThrow("a.example (::ffff:10.0.0.1)");
    expect(refuse).toThrow(expect.objectContaining({ code: "egress.refused" }));
  });

  test("ignores an address that cannot be parsed", () => {
    expect(() => allowedAddresses(new URL("http://a.example/"), ["nonsense"], closed)).toThrow("a.example");
  });
});

describe("an address range in the settings", () => {
  test("may be written with or without a prefix length", () => {
    expect(parseRange("10.0.0.0/8")).toMatchObject({ version: 4, first: 0x0a000000n, last: 0x0affffffn });
    expect(parseRange("10.9.9.9/8")).toEqual(parseRange("10.0.0.0/8"));
    expect(parseRange("10.0.0.1")).toMatchObject({ first: 0x0a000001n, last: 0x0a000001n });
    expect(parseRange("fd00::/8")?.version).toBe(6);
    for (const text of ["10.0.0.0/33", "10.0.0.0/", "fd00::/129", "intranet", "10/8"]) {
      expect(parseRange(text)).toBeUndefined();
    }
  });

  test("is valid only if it starts with a private address", () => {
    expect(rangeProblem("10.0.0.0/8")).toBeUndefined();
    expect(rangeProblem("198.18.0.0/15")).toBeUndefined();
    for (const text of ["127.0.0.0/8", "169.254.0.0/16", "8.8.8.8", "::/0", "here"]) {
      expect(rangeProblem(text)).toContain(text);
    }
  });
});
