/**
 * How much one caller may ask: a bucket of tokens for each, which fills again steadily.
 *
 * In this process only: each node gives every key its measure. What is told of it are the fields of
 * draft-ietf-httpapi-ratelimit-headers-10. Neighbour: `../app.ts` takes a token for each request.
 */
import { Overloaded } from "../../machines/errors.ts";

export interface Rate {
  /** Requests that may come at once. */
  readonly burst: number;
  /** How many of them come back in a second. */
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export interface Taken {
  readonly granted: boolean;
  /** Whole tokens that are left. */
  readonly left: number;
  /** Seconds until there is one again; until it is full where there are some. */
  readonly seconds: number;
}

export class Rates {
  readonly #rate: Rate;
  readonly #most: number;
  readonly #buckets = new Map<string, Bucket>();

  /** `most`: callers that are remembered; over it the one that was first seen longest ago is taken for new. */
  constructor(rate: Rate, most: number) {
    this.#rate = rate;
    this.#most = most;
  }

  /** `now` in milliseconds of a clock that never goes back. */
  take(who: string, now: number): Taken {
    const bucket = this.#buckets.get(who) ?? this.#added(who, now);
    this.#fill(bucket, now);
    const granted = bucket.tokens >= 1;
    if (granted) bucket.tokens -= 1;
    return this.#taken(bucket, granted);
  }

  /** What taking one would answer now, without taking it; `undefined` while there is one. */
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

  /** The fields for an answer, by the name of the policy. */
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

/** `retry_after` is also the answer's Retry-After. */
export function tooMany(who: string, { seconds }: Taken): Overloaded {
  const retry_after = Math.max(1, seconds);
  return new Overloaded("security.rate_limited", `${who} asks too much. Ask again in ${retry_after} s.`, {
    details: { retry_after },
  });
}
