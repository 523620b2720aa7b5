/** Tells which values of a task tick a checkbox or leave it empty. */

const YES_OR_NO =
  /^(?:yes|no|on|off|true|false|1|0|x|y|n|(?:un)?(?:checked|ticked)|enabled?|disabled?|(?:in)?active|agree|agreed|accept|accepted|ja|nein|oui|non|s[iíì]|nee)?$/iu;

/** Whether a text is a value for any checkbox, such as "yes" or "unchecked". An empty text leaves the checkbox empty. */
export const isYesOrNo = (value: string): boolean => YES_OR_NO.test(value.trim());
