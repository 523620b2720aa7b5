/** Fields that an answer gets only if its page was still loading or changing when the wait ended. */
import { z } from "zod";

export const loadingFields = {
  loading: z
    .literal(true)
    .optional()
    .describe("The page had not settled when the wait for it ended: analyze again in a few seconds"),
  pending: z
    .array(z.string())
    .optional()
    .describe("With loading: addresses of its pending requests, without queries and shortened"),
};

export interface LoadingState {
  readonly loading: true;
  readonly pending: string[];
}
