/** The states of a dialogue, and whether a person may type free text in each. */

/** Whether a person may type free text in each state. The protocol specification defines these values. */
export const inputEnabled = {
  idle: true,
  planning: false,
  clarifying: true,
  refining: false,
  assume_announce: true,
  awaiting_approval: false,
  executing: false,
  mid_exec_dialog: true,
  replanning: false,
  completed: true,
  error: true,
} as const satisfies Readonly<Record<string, boolean>>;

export type DialogueStatus = keyof typeof inputEnabled;
