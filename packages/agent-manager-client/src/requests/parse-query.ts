import {
  problemInField,
  formatProblem,
  unknownFieldProblem,
  wrongTypeProblem,
} from '../arguments/argument-problem.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { refused, type Answer } from '../refusals/refusal.ts';
import { isBooleanArgument } from './boolean-argument.ts';

type QueryArguments = Readonly<Record<string, string | boolean>>;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const NOT_BOOLEAN = wrongTypeProblem('a boolean');

const invalid = (reason: string) => refused('invalid_request', reason);

/**
 * The arguments in a query. Refused, in the words in which an MCP call is: one that the operation does not take there, one that is
 * given twice, a boolean that is neither `true` nor `false`.
 *
 * @param query what follows the question mark, encoded
 */
export const parseQuery = (name: OperationName, query: string): Answer<QueryArguments> => {
  const taken: readonly string[] = OPERATIONS[name].query;
  const found: Record<string, string | boolean> = {};
  for (const [key, text] of new URLSearchParams(query)) {
    if (!taken.includes(key)) return invalid(formatProblem(unknownFieldProblem(key)));
    if (Object.hasOwn(found, key)) return invalid(`query parameter ${key} is given more than once`);
    const value = isBooleanArgument(name, key) ? BOOLEANS.get(text) : text;
    if (value === undefined) return invalid(formatProblem(problemInField(key, NOT_BOOLEAN)));
    found[key] = value;
  }
  return { ok: true, value: found };
};
