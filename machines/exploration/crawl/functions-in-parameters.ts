/**
 * Recognises addresses of applications that consist of one program, and select its function by parameters instead of
 * the path: `?controller=TaskViewController&action=show&task_id=3` (Kanboard),
 * `index.php?module=Accounts&action=index` (SuiteCRM, vtiger), `index.php?option=com_content&view=article` (Joomla).
 * A crawl counts such a function like a folder.
 */

interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * Matches names of parameters that select a part of the program: `controller` in
 * `?controller=TaskViewController`.
 */
const PART = /^(?:controller|ctrl|module|mod|option)$/i;
/** Matches names of parameters that select what the part of the program does: `action` in `?action=show`. */
const OPERATION = /^(?:action|act|do|op|view|task|method|cmd)$/i;
/**
 * Matches the name of a function: a word, possibly with a namespace. Values with a digit or a space do not match:
 * they are ids or texts of searches.
 */
const FUNCTION_NAME = /^[a-z][a-z_\\.-]{1,60}$/i;

/**
 * Returns the parameters that select a function, as two path segments (`controller=TaskViewController` and
 * `action=show`), and the other parameters. Returns `undefined` unless exactly one parameter selects a part of the
 * program, and exactly one selects what the part does.
 */
export function functionInParameters<P extends Parameter>(
  parameters: readonly P[],
): { readonly path: readonly [string, string]; readonly others: readonly P[] } | undefined {
  const [part, secondPart] = parameters.filter(({ name }) => PART.test(name));
  const [operation, secondOperation] = parameters.filter(({ name }) => OPERATION.test(name));
  if (!part || !operation || secondPart || secondOperation) return undefined;
  if (!FUNCTION_NAME.test(part.value) || !FUNCTION_NAME.test(operation.value)) return undefined;
  return {
    path: [`${part.name}=${part.value}`, `${operation.name}=${operation.value}`],
    others: parameters.filter((one) => one !== part && one !== operation),
  };
}
