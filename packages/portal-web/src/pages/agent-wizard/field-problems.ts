/** The sentences of agent-manager by the argument that they start with, and those about no argument of the form. */
export interface FieldProblems {
  readonly of: (field: string) => string | undefined;
  readonly others: readonly string[];
}

const WORD = /^[A-Za-z]+/;

/** Sorts the errors of a validation to the fields of a form. */
export const fieldProblems = (
  errors: readonly string[],
  fields: readonly string[],
): FieldProblems => {
  const isField = (error: string): boolean => fields.includes(WORD.exec(error)?.[0] ?? '');
  return {
    of: (field) => errors.find((error) => WORD.exec(error)?.[0] === field),
    others: errors.filter((error) => !isField(error)),
  };
};
