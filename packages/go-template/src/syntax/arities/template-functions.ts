import { DATA_FUNCTION_ARITIES } from './data-function-arities.ts';
import type { FunctionArity } from './function-arity.ts';
import { TEXT_FUNCTION_ARITIES } from './text-function-arities.ts';

/** The functions that belong to Go's `text/template` itself. `call` is not one of them: no value here can be called. */
const GO_FUNCTION_ARITIES = {
  and: [1, undefined],
  eq: [2, undefined],
  ge: [2, 2],
  gt: [2, 2],
  html: [0, undefined],
  index: [1, undefined],
  js: [0, undefined],
  le: [2, 2],
  len: [1, 1],
  lt: [2, 2],
  ne: [2, 2],
  not: [1, 1],
  or: [1, undefined],
  print: [0, undefined],
  printf: [1, undefined],
  println: [0, undefined],
  slice: [1, 4],
  urlquery: [0, undefined],
} as const satisfies Record<string, FunctionArity>;

/**
 * Every function that a template may call, with its number of arguments. Look a name up with {@link templateFunctionArity},
 * never by index: names come from users.
 *
 * @spec §2.7
 */
export const TEMPLATE_FUNCTIONS = {
  ...GO_FUNCTION_ARITIES,
  ...TEXT_FUNCTION_ARITIES,
  ...DATA_FUNCTION_ARITIES,
} as const satisfies Record<string, FunctionArity>;

/** The name of a function of the template dialect. */
export type TemplateFunctionName = keyof typeof TEMPLATE_FUNCTIONS;

/** Returns whether a name is a function of templates. Own names only: `constructor` is not one. */
export const isTemplateFunctionName = (name: string): name is TemplateFunctionName =>
  Object.hasOwn(TEMPLATE_FUNCTIONS, name);

/** Returns the number of arguments of a function; undefined when there is no function with this name. */
export const templateFunctionArity = (name: string): FunctionArity | undefined =>
  isTemplateFunctionName(name) ? TEMPLATE_FUNCTIONS[name] : undefined;
