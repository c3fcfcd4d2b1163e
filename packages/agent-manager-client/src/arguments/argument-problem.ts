import { shown } from '../refusals/shown.ts';

/** A problem of a value and its path. */
export interface ArgumentProblem {
  /** Path below the value: `gitRefs[0].url`; empty for the value itself. */
  readonly at: string;
  /** The sentence, once the whole path is known. */
  readonly sentence: (path: string) => string;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$]{0,62}$/;

const join = (outer: string, inner: string): string =>
  inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** A value of another type, or a text that is none. */
export const wrongType = (expected: string): ArgumentProblem => ({
  at: '',
  sentence: (path) => `invalid JSON: ${path} must be ${expected}`,
});

/** A field that there is not. */
export const unknownField = (field: string): ArgumentProblem => ({
  at: '',
  sentence: (path) =>
    `invalid JSON: unknown field ${shown(field)}${path === '' ? '' : ` in ${path}`}`,
});

/** A field that must be there. */
export const missing: ArgumentProblem = { at: '', sentence: (path) => `${path} is required` };

/** The problem of a field, as one of the object that has it. */
export const inField = (field: string, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: join(PLAIN_KEY.test(field) ? field : `[${shown(field)}]`, problem.at),
});

/** The problem of an item, as one of its list. */
export const inItem = (index: number, problem: ArgumentProblem): ArgumentProblem => ({
  ...problem,
  at: join(`[${index}]`, problem.at),
});

/** The problem as one sentence without a full stop. */
export const sentenceOf = ({ at, sentence }: ArgumentProblem): string => sentence(at);
