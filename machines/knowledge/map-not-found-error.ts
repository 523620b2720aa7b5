/** The error for the id of a map that does not exist. */
import { Refused } from "../errors.ts";

export function mapNotFound(knowledgeId: string): Refused {
  return new Refused(
    "knowledge.not_found",
    `There is no map ${knowledgeId}. list_knowledge lists the maps.`,
    { status: 404 },
  );
}
