/**
 * Prices of models in US dollars for a million tokens, as the providers published them in 2026. For an
 * unknown model, tokens are counted and the cost is null.
 */

interface Price {
  readonly input: number;
  readonly output: number;
}

/** Prices by the beginning of a model's name. When several beginnings match, the longest one counts. */
const PRICES: Readonly<Record<string, Price>> = {
  "gpt-5": { input: 1.25, output: 10 },
  "gpt-5-mini": { input: 0.25, output: 2 },
  "gpt-5-nano": { input: 0.05, output: 0.4 },
  "gpt-4.1": { input: 2, output: 8 },
  "gpt-4.1-mini": { input: 0.4, output: 1.6 },
  "gpt-4.1-nano": { input: 0.1, output: 0.4 },
  "gpt-4o": { input: 2.5, output: 10 },
  "gpt-4o-mini": { input: 0.15, output: 0.6 },
  "text-embedding-3-small": { input: 0.02, output: 0 },
  "text-embedding-3-large": { input: 0.13, output: 0 },
  "gemini-2.5-pro": { input: 1.25, output: 10 },
  "gemini-2.5-flash": { input: 0.3, output: 2.5 },
  "gemini-2.5-flash-lite": { input: 0.1, output: 0.4 },
  "gemini-embedding": { input: 0.15, output: 0 },
};

const MILLION = 1_000_000;

/** Returns the cost in US dollars, or `null` for a model without a known price. */
export function costOf(model: string, inputTokens: number, outputTokens: number): number | null {
  const name = Object.keys(PRICES)
    .filter((one) => model === one || model.startsWith(`${one}-`))
    .toSorted((one, other) => other.length - one.length)[0];
  const price = name === undefined ? undefined : PRICES[name];
  if (!price) return null;
  return (inputTokens * price.input + outputTokens * price.output) / MILLION;
}
