import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { refused, type Answer } from '../refusals/refusal.ts';
import { formatProblem } from './argument-problem.ts';
import { fieldsOf } from './fields-of.ts';
import type { OperationDraft } from './operation-draft.ts';
import { isJsonObject, objectOf, type ValueKind } from './value-kind.ts';

/** Of the former argument, which is refused wherever a toolset is taken, with a text of its own. */
const ANYTHING: ValueKind = { problem: () => undefined, take: (value) => value };

const argumentsKindOf = (name: OperationName): ValueKind => {
  const { kinds } = fieldsOf(OPERATIONS[name].input);
  const former = kinds.has('toolset') ? ([['toolNames', ANYTHING]] as const) : [];
  return objectOf({ kinds: new Map([...kinds, ...former]), required: [] });
};

const KINDS: ReadonlyMap<OperationName, ValueKind> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).map((name) => [name, argumentsKindOf(name)]),
);

/**
 * Parses the arguments of an operation: checks names and types and nothing else. Never throws.
 *
 * @param given a JSON value; `undefined` for no arguments
 * @returns the arguments without those that are `null` at any depth, or the refusal of the first unknown or mistyped argument
 * @spec §4.4
 */
export const parseArguments = <Name extends OperationName>(
  name: Name,
  given: unknown,
): Answer<OperationDraft<Name>> => {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new RangeError(`there is no operation ${name}`);
  const value = given ?? {};
  if (!isJsonObject(value)) return refused('invalid_request', 'the arguments must be an object');
  const problem = kind.problem(value);
  return problem === undefined
    ? { ok: true, value: kind.take(value) as OperationDraft<Name> }
    : refused('invalid_request', formatProblem(problem));
};
