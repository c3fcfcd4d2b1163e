import type {
  ArrayArgument,
  CoreArgument,
  FlagArgument,
  IntegerArgument,
  ObjectArgument,
  TextArgument,
} from './core-argument.ts';

const MAX_TEXT_UNITS = 1024;

type Problem = string | undefined;

const textProblem = (
  name: string,
  { enum: allowed, maxUnits = MAX_TEXT_UNITS, refusals }: TextArgument,
  value: unknown,
): Problem => {
  if (typeof value !== 'string') return refusals?.wrongType ?? `${name} must be a string`;
  if (allowed !== undefined && !allowed.includes(value)) {
    return `${name} must be one of the enum values: ${allowed.join(', ')}`;
  }
  return value.length > maxUnits
    ? `${name} must be at most ${String(maxUnits)} characters`
    : undefined;
};

const flagProblem = (name: string, { refusals }: FlagArgument, value: unknown): Problem =>
  typeof value === 'boolean' ? undefined : (refusals?.wrongType ?? `${name} must be a boolean`);

const integerProblem = (
  name: string,
  { minimum, maximum, refusals }: IntegerArgument,
  value: unknown,
): Problem => {
  if (typeof value !== 'number') return refusals?.wrongType ?? `${name} must be a number`;
  if (!Number.isInteger(value)) return `${name} must be a whole number`;
  if (value < minimum) return `${name} must be at least ${String(minimum)} (minimum value)`;
  return maximum !== undefined && value > maximum
    ? `${name} must be at most ${String(maximum)} (maximum value)`
    : undefined;
};

const listProblem = (name: string, { refusals }: ArrayArgument, value: unknown): Problem =>
  Array.isArray(value) ? undefined : (refusals?.wrongType ?? `${name} must be an array`);

const objectProblem = (name: string, { refusals }: ObjectArgument, value: unknown): Problem =>
  typeof value === 'object' && !Array.isArray(value)
    ? undefined
    : (refusals?.wrongType ?? `${name} must be an object`);

const presentProblem = (name: string, argument: CoreArgument, value: unknown): Problem => {
  switch (argument.type) {
    case 'string':
      return textProblem(name, argument, value);
    case 'boolean':
      return flagProblem(name, argument, value);
    case 'integer':
      return integerProblem(name, argument, value);
    case 'array':
      return listProblem(name, argument, value);
    case 'object':
      return objectProblem(name, argument, value);
  }
};

/** A blank text counts as absent, except for a choice, where it is an invalid choice. */
const passesForAbsent = (argument: CoreArgument, value: unknown): boolean => {
  if (argument.nullable === true && value === '') return false;
  if (value === undefined || value === null) return true;
  return value === '' && !(argument.type === 'string' && argument.enum !== undefined);
};

/** Returns why an argument is refused, as one sentence; `undefined` when it is valid. */
export const argumentProblem = (name: string, argument: CoreArgument, value: unknown): Problem => {
  const { required, refusals } = argument;
  const own = value === null ? refusals?.isNull : value === '' ? refusals?.isBlank : undefined;
  if (own !== undefined) return own;
  if (!passesForAbsent(argument, value)) return presentProblem(name, argument, value);
  return required ? (refusals?.missing ?? `${name} argument is required`) : undefined;
};
