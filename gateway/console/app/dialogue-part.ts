/** The properties that every part of a dialogue's panel receives. */
import type { DialogueView, Incoming } from "../../../machines/dialogue/dialogue-schemas.ts";

/** Sends an answer of the person. `done` is shown when the answer was accepted. */
export type SendAnswer = (message: Incoming, done?: string) => void;

export interface DialoguePartProps {
  readonly dialogue: DialogueView;
  readonly send: SendAnswer;
  readonly isRunning: boolean;
}

export const percent = (share: number): string => `${Math.round(share * 100)}%`;
