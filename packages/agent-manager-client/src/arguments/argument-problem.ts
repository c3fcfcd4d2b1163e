import { formatShown } from '../refusals/shown.ts';

/** Why an argument is refused, and where in the argument the reason is. */
export interface ArgumentProblem {
  /** Path of the refused part, relative to the value: `gitRefs[0].url`. Empty if the value itself is refused. */
  readonly at: string;
  /** Returns the message. `path` is the complete path, from the root of the arguments. */
  readonly sentence: (path: string) => string;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,62}$/;

const join = (outer: string, inner: string): string =>
  inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** Returns the problem of a value that does not have the expected type or format. `expected` is, for example, `a string`. */
export const wrongTypeProblem = (expected: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `${path} must be ${expected}`,
});

/** Returns the problem of a field that the schema does not have. */
export const unknownFieldProblem = (field: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `unknown field ${formatShown(field)}${path === '' ? '' : ` in ${path}`}`,
});

/** The problem of a required field without a value. */
export const missingProblem: ArgumentProblem = {
  at: '',
  sentence: (path) => `${path} is required`,
};

/** Converts the problem of a field into a problem of the object that contains the field. */
export const problemInField = (field: string, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: join(PLAIN_KEY.test(field) ? field : `[${formatShown(field)}]`, problem.at),
});

/** Converts the problem of an item into a problem of its list. */
export const problemInItem = (index: number, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: join(`[${index}]`, problem.at),
});

/** Returns the message of a problem whose path is complete, without a full stop. */
export const formatProblem = ({ at, sentence }: ArgumentProblem): string => sentence(at);
