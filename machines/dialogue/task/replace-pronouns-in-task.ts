/** Replaces the pronouns in a task, such as "it", by the words to which they refer. */

const PRONOUN =
  /^(\p{L}+(?:\s+(?:on|to|up))?)\s+(?:it|him|her|them|that|this|those|these|that one|this one|ihn|es|le|la|lo)$/iu;
/** Matches a part of a task that names a person or a thing, to which a pronoun in the next part refers. */
const ENTITY =
  /^(?:who\s+is|where\s+is|find|look\s+(?:up|for)|search\s+for|suche?|finde|wer\s+ist|cherche|trouve|qui\s+est|busca|encuentra|quién\s+es|cerca|trova|chi\s+è)\s+(.+)$/iu;
/**
 * Matches a question that only identifies a person or a thing: "Who is Ada?" Such a question needs no step.
 */
const IDENTIFIES = /^(?:(?:who|where)\s+is|wer\s+ist|qui\s+est|quién\s+es|chi\s+è)\s/iu;
const POSSESSIVE =
  /^(\p{L}+(?:\s+(?:on|to|up))?)\s+(?:her|his|their|its|sein(?:e|en)?|ihr(?:e|en)?|son|sa|ses|sus?)\s+(.+)$/iu;
const THAT = /\bthat\b/iu;
const QUESTION = /^(?:what|which|where|who|how many|how much)\b\s*(?:are|is|kind of)?/iu;
const AUXILIARY = /\b(?:do|does|did|have|has|had|got|are|is|was|were|there|i|we|you|they|my|the)\b/giu;

/**
 * Replaces each pronoun by the noun of the previous part of the task. "What alerts do I have? Open them" becomes
 * "Open alerts". "Find Ada and open her profile" becomes "Open profile of Ada", if the page already shows her.
 *
 * @param parts the parts of the task, each with one imperative or question
 * @param isShown whether the page shows the named person or thing
 */
export function withoutPronouns(
  parts: readonly string[],
  isShown: (entity: string) => boolean,
): readonly string[] {
  return parts.flatMap((part, at) => {
    const next = parts[at + 1];
    if (next !== undefined && QUESTION.test(part) && PRONOUN.test(next)) return [];
    const before = parts[at - 1];
    const refers = (text: string): boolean => POSSESSIVE.test(text) || PRONOUN.test(text);
    const isAnswered = next !== undefined && QUESTION.test(part) && !THAT.test(next);
    // The question is dropped, because the imperative after it is what the person wants: "What do I agree to?
    // Open the terms".
    if (isAnswered && !IDENTIFIES.test(part) && !refers(next)) return [];
    const entity = ENTITY.exec(part)?.[1];
    if (entity !== undefined && next !== undefined && refers(next))
      return isShown(entity) || IDENTIFIES.test(part) ? [] : [part];
    const [, act, owned] = POSSESSIVE.exec(part) ?? [];
    const [, verb] = PRONOUN.exec(part) ?? [];
    const [, owner] = ENTITY.exec(before ?? "") ?? [];
    if (act && owned && owner) return [`${act} ${owned} of ${owner}`];
    if (verb && owner) return [`${verb} ${owner}`];
    if (verb === undefined || before === undefined || !QUESTION.test(before)) return [part];
    return [`${verb} ${before.replace(QUESTION, " ").replace(AUXILIARY, " ").replace(/\s+/gu, " ").trim()}`];
  });
}
