/** The question that the dialogue asks if no part of the task was understood. */
export const REPHRASE = "What should be done? Say it in other words.";
