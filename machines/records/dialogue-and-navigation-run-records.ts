/** Rows of dialogues and of navigation runs. */

/** A message of a dialogue. The row's id consists of the dialogue's id and the number of the message. */
export interface DialogueMessageRecord {
  readonly id: readonly [string, number];
  /** The message, as JSON of `DialogueMessage`. */
  readonly body: string;
  readonly at: number;
}

/**
 * An article or a decision of a navigation run. Its row id consists of the run's id and the article's or
 * decision's number.
 */
export interface NavigationRecord {
  readonly id: readonly [string, number];
  /** The article or decision, as JSON of `Article` or `Decision`. */
  readonly body: string;
  readonly at: number;
}
