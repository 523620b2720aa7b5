/** What calls to models cost, and the budget of a run. */

export interface Usage {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** US dollars; `null` when a model without a known price was called. */
  readonly cost_usd: number | null;
}

export const noUsage: Usage = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    calls: one.calls + other.calls,
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cost_usd: one.cost_usd === null || other.cost_usd === null ? null : one.cost_usd + other.cost_usd,
  };
}

export interface BudgetLimits {
  readonly max_calls?: number | undefined;
  readonly max_cost_usd?: number | undefined;
}

/**
 * The budget of a run: a number of calls, and a cost. Calls that are running when the limit is reached may
 * exceed the cost. For a model without a known price, only the number of calls is limited.
 */
export class ModelBudget {
  readonly #limits: BudgetLimits;
  #spent: Usage;

  /**
   * Creates the budget of one run.
   * @param spent the calls and the cost that the run used before this budget was created
   */
  constructor(limits: BudgetLimits, spent: Usage = noUsage) {
    this.#limits = limits;
    this.#spent = spent;
  }

  get spent(): Usage {
    return this.#spent;
  }

  /**
   * The limit that the run has reached: number of calls, or cost. `undefined` while further calls are
   * allowed.
   */
  get exhausted(): "calls" | "cost" | undefined {
    const { max_calls, max_cost_usd } = this.#limits;
    if (max_calls !== undefined && this.#spent.calls >= max_calls) return "calls";
    if (max_cost_usd !== undefined && (this.#spent.cost_usd ?? 0) >= max_cost_usd) return "cost";
    return undefined;
  }

  add(usage: Usage): void {
    this.#spent = addUsage(this.#spent, usage);
  }
}
