import { plainSentence } from './plain-sentence.ts';

/** The sentences of agent-manager by the field of the form that they are about, and those about none. */
export interface FieldProblems {
  readonly of: (field: string) => string | undefined;
  readonly others: readonly string[];
}

/** A form whose arguments agent-manager has checked. */
export interface CheckedForm {
  /** The names of its fields. */
  readonly fields: readonly string[];
  /** The name is that of a new agent. */
  readonly isNew: boolean;
  /** Returns whether a field has the value that was checked. */
  readonly isChecked: (field: string) => boolean;
}

const WORD = /^[A-Za-z]+/;
/** Objects with the name of a new agent that exist already. */
const EXISTING: ReadonlySet<string> = new Set(['HelmRelease', 'Agent']);
/** The values of a release by the schema of its chart: `/agent/iconUrl: …`, `/modelConfig/name: …`. */
const VALUE = /\/(?:agent\/(\w+)|(modelConfig|skills|toolset)\b[^:]*): /g;

/** Returns the fields that a sentence is about. */
const fieldsOf = (sentence: string, isNew: boolean): readonly string[] => {
  const first = WORD.exec(sentence)?.[0] ?? '';
  if (isNew && EXISTING.has(first)) return ['name'];
  if (first !== 'values') return [first];
  return [...sentence.matchAll(VALUE)].flatMap(([, ofAgent, other]) => ofAgent ?? other ?? []);
};

/** Sorts the errors of a validation to the fields of a form, in its words. A field that was changed meanwhile has no problem until it is checked. */
export const fieldProblems = (
  errors: readonly string[],
  { fields, isNew, isChecked }: CheckedForm,
): FieldProblems => {
  const problems = new Map<string, string>();
  const others: string[] = [];
  for (const error of errors) {
    const concerned = fieldsOf(error, isNew).filter((field) => fields.includes(field));
    if (concerned.length === 0) others.push(error);
    for (const field of concerned)
      if (!problems.has(field)) problems.set(field, plainSentence(error));
  }
  return { of: (field) => (isChecked(field) ? problems.get(field) : undefined), others };
};
