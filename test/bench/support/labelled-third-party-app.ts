/** A third-party application with its true screens, which a person has written down. */

export interface ForeignApp {
  readonly name: string;
  /** The kind of the application, and the package that contains it. */
  readonly about: string;
  readonly port: number;
  readonly start: string;
  readonly request?: Readonly<Record<string, unknown>>;
  /**
   * True if the authors did not look at this application while they made or changed the rules that group
   * pages into screens. So no rule was made for it.
   */
  readonly heldOut?: true;
  /**
   * The screens of the application. Each has a name and a pattern for its addresses. `$1` and `$2` in a name
   * are replaced by what the groups of the pattern match.
   */
  readonly screens: readonly (readonly [screen: string, pattern: RegExp])[];
  /**
   * Names of the screens to which links lead, so that every exploration must find them. Other screens are
   * compared only if the exploration has found them.
   */
  readonly expected: readonly string[];
}
