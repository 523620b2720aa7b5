/**
 * Stores large results in an S3-compatible object storage. Requests carry their signature in the URL (AWS
 * Signature Version 4, "presigned"), so a client that has the URL needs no key.
 */
import { createHash, createHmac } from "node:crypto";
import { SECOND } from "../../machines/time-and-size-units.ts";
import { edgeLimits } from "./redis-queue-limits.ts";

export interface StorageSettings {
  /** URL of the server, without the bucket. The bucket is the first part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

export class ObjectStorage {
  readonly #settings: StorageSettings;

  constructor(settings: StorageSettings) {
    this.#settings = settings;
  }

  /** Stores a JSON text. Returns the URL at which it can be read, for the time `edgeLimits.resultFor`. */
  async put(key: string, json: string): Promise<string> {
    const response = await fetch(this.url("PUT", key, new Date()), {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: json,
      signal: AbortSignal.timeout(edgeLimits.storeWithin),
    });
    if (!response.ok) {
      const text = await response.text();
      throw new Error(`The object storage answered ${response.status}: ${text.slice(0, 300)}`);
    }
    return this.url("GET", key, new Date());
  }

  /** Returns a signed URL for one object. It is valid for `edgeLimits.resultFor` after `at`. */
  url(method: "GET" | "PUT", key: string, at: Date): string {
    const { endpoint, bucket, region, accessKey, secretKey } = this.#settings;
    const { origin, host, pathname } = new URL(endpoint);
    const folder = pathname.replace(/\/$/, "");
    const path = [bucket, ...key.split("/")].map(encoded).join("/");
    const time = at.toISOString().replace(/[:-]|\.\d+/g, "");
    const day = time.slice(0, 8);
    const scope = `${day}/${region}/s3/aws4_request`;
    // AWS Signature Version 4 requires that the parameters are in alphabetical order.
    const query = [
      ["X-Amz-Algorithm", ALGORITHM],
      ["X-Amz-Credential", `${accessKey}/${scope}`],
      ["X-Amz-Date", time],
      ["X-Amz-Expires", String(edgeLimits.resultFor / SECOND)],
      ["X-Amz-SignedHeaders", "host"],
    ]
      .map(([name = "", value = ""]) => `${name}=${encoded(value)}`)
      .join("&");
    const request = [method, `${folder}/${path}`, query, `host:${host}`, "", "host", "UNSIGNED-PAYLOAD"];
    const hash = createHash("sha256").update(request.join("\n")).digest("hex");
    let signingKey: string | Buffer = `AWS4${secretKey}`;
    for (const part of [day, region, "s3", "aws4_request"])
      signingKey = createHmac("sha256", signingKey).update(part).digest();
    const toSign = [ALGORITHM, time, scope, hash].join("\n");
    const signature = createHmac("sha256", signingKey).update(toSign).digest("hex");
    return `${origin}${folder}/${path}?${query}&X-Amz-Signature=${signature}`;
  }
}

/** Encodes a part of a URL as the signature requires, which leaves only the unreserved characters of RFC 3986. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
