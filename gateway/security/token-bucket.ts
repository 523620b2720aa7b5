/**
 * A rate limit with one token bucket for each caller. A bucket is refilled at a constant rate. Each process
 * has its own buckets, so each node grants the full rate; the headers follow
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
import { Overloaded } from "../../machines/errors.ts";

export interface Rate {
  /** Number of requests that a caller may send at once when its bucket is full. */
  readonly burst: number;
  /** Number of tokens that are added per second. */
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export interface Taken {
  readonly granted: boolean;
  /** Number of whole tokens in the bucket. */
  readonly left: number;
  /** Seconds until the next token if no token is left; otherwise seconds until the bucket is full. */
  readonly seconds: number;
}

export class TokenBuckets {
  readonly #rate: Rate;
  readonly #most: number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param most the maximum number of callers with a bucket; beyond it, the oldest bucket is dropped */
  constructor(rate: Rate, most: number) {
    this.#rate = rate;
    this.#most = most;
  }

  /**
   * Takes a token from the caller's bucket, and returns whether there was one.
   *
   * @param now the time of a monotonic clock in milliseconds
   */
  take(who: string, now: number): Taken {
    const bucket = this.#buckets.get(who) ?? this.#added(who, now);
    this.#fill(bucket, now);
    const granted = bucket.tokens >= 1;
    if (granted) bucket.tokens -= 1;
    return this.#taken(bucket, granted);
  }

  /**
   * Checks whether the caller has no token left, without using a token. Returns the refusal if no token is
   * left, otherwise `undefined`.
   */
  exhausted(who: string, now: number): Taken | undefined {
    const bucket = this.#buckets.get(who);
    if (!bucket) return undefined;
    this.#fill(bucket, now);
    return bucket.tokens >= 1 ? undefined : this.#taken(bucket, false);
  }

  #fill(bucket: Bucket, now: number): void {
    const { burst, perSecond } = this.#rate;
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
    bucket.at = now;
  }

  #taken(bucket: Bucket, granted: boolean): Taken {
    const { burst, perSecond } = this.#rate;
    const left = Math.floor(bucket.tokens);
    const missing = left > 0 ? burst - bucket.tokens : 1 - bucket.tokens;
    return { granted, left, seconds: Math.max(0, Math.ceil(missing / perSecond)) };
  }

  /** Returns the rate limit headers of an answer. `policy` is the name of the limit in these headers. */
  headers(policy: string, { left, seconds }: Taken): Readonly<Record<string, string>> {
    const { burst, perSecond } = this.#rate;
    return {
      "ratelimit-policy": `"${policy}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
      ratelimit: `"${policy}";r=${left};t=${seconds}`,
    };
  }

  #added(who: string, at: number): Bucket {
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size < this.#most) break;
      this.#buckets.delete(oldest);
    }
    const bucket = { tokens: this.#rate.burst, at };
    this.#buckets.set(who, bucket);
    return bucket;
  }
}

/** Returns the error for too many requests. Its `retry_after` is also sent as the header Retry-After. */
export function tooMany(who: string, { seconds }: Taken): Overloaded {
  const retry_after = Math.max(1, seconds);
  return new Overloaded("security.rate_limited", `${who} asks too much. Ask again in ${retry_after} s.`, {
    details: { retry_after },
  });
}
