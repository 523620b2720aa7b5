/**
 * Parts of a gateway without which Cairn can work, such as Redis. If such a part fails, `/ready` reports it
 * as degraded.
 */

export interface OptionalPart {
  check(): Promise<{ readonly ok: boolean; readonly detail: string }>;
}

export class OptionalParts {
  readonly #parts = new Map<string, OptionalPart>();

  add(name: string, part: OptionalPart): void {
    this.#parts.set(name, part);
  }

  async checks(): Promise<
    Readonly<Record<string, { readonly ok: boolean; readonly detail: string; readonly optional: true }>>
  > {
    const checked = [...this.#parts].map(async ([name, part]) => {
      // If the check of an optional part of Cairn throws an error, this part counts as failed.
      const result = await part.check().catch((error) => ({ ok: false, detail: String(error) }));
      return [name, { ...result, optional: true as const }] as const;
    });
    return Object.fromEntries(await Promise.all(checked));
  }
}
