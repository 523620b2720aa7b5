/**
 * The instruction types of a map. This file does not import zod, so that worker threads can use the types
 * without loading zod.
 */

export const instructionTypes = [
  "navigate_to_screen",
  "execute_task",
  "find_screen",
  "get_actions",
  "get_screen_context",
  "find_element",
  "explore_website",
] as const;
export type InstructionType = (typeof instructionTypes)[number];

/** Older names of instructions that are still accepted. */
export const instructionAliases: Readonly<Record<string, InstructionType>> = {
  navigate_to: "navigate_to_screen",
  navigate: "navigate_to_screen",
  recognize_screen: "find_screen",
};

/** Returns the instruction with this name or alias. */
export function instructionOf(name: string): InstructionType | undefined {
  const known = instructionTypes.find((type) => type === name);
  if (known) return known;
  return Object.hasOwn(instructionAliases, name) ? instructionAliases[name] : undefined;
}
