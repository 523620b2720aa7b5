/** The type of the properties that every component of the dialogue panel gets. */
import type { DialogueView, Incoming } from "../../../../machines/dialogue/dialogue-schemas.ts";

/** Sends an answer of the person. The text `done` is shown when the dialogue has accepted the answer. */
export type SendAnswer = (message: Incoming, done?: string) => void;

export interface DialoguePartProps {
  readonly dialogue: DialogueView;
  readonly send: SendAnswer;
  readonly isRunning: boolean;
}

export const percent = (share: number): string => `${Math.round(share * 100)}%`;
