/** Tells which inputs the browser fills by a picker of its own. An action types no text into them. */

const NATIVE_PICKER = /^(?:date|time|month|week|datetime-local|color|range)$/;

/** @param type the type of the input, such as `date` */
export const hasNativePicker = (type: string): boolean => NATIVE_PICKER.test(type);
