/** Removes words such as "How do I" from a question, so that only the words of its subject remain. */

const OPENINGS =
  /^(?:(?:please|can|could|would) (?:you )?(?:tell|show|explain)(?: to)?(?: me)? )?(?:how (?:do|can|would|should|could|does|to)(?: (?:i|we|you|one|a user))?|where (?:is|are|do|can)(?: (?:i|we|you|one|a user))?(?: (?:find|see|view|look at|look up|get to|go to see|enter|type in|fill in))?|what (?:is|are|does|do)|which|i (?:want|need|would like) to|help me(?: to)?)\s+/i;

export function meantBy(question: string): string {
  const plain = question.trim().replace(/[?!.]+$/, "");
  const without = plain
    .replace(OPENINGS, "")
    .replace(/^(?:the|a|an)\s+/i, "")
    .trim();
  return without === "" ? plain : without;
}
