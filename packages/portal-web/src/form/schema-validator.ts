import { Validator, type OutputUnit } from '@cfworker/json-schema';
import {
  ErrorSchemaBuilder,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';

import { withSafePatterns } from './safe-patterns.ts';

/** A problem of a form, at the path of its field. */
interface FieldProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** The pointer of a JSON Schema output unit as the path of a field: `#/a/b~1c` is `a`, `b/c`. */
const pathOf = ({ instanceLocation }: OutputUnit): readonly string[] =>
  instanceLocation
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

const MISSING = /^Instance does not have required property "(.*)"\.$/su;

/** A missing property is reported at the field that is missing, every other problem where it is. */
const problemOf = (unit: OutputUnit): FieldProblem => {
  const missing = MISSING.exec(unit.error)?.[1];
  return missing === undefined
    ? { path: pathOf(unit), message: unit.error }
    : { path: [...pathOf(unit), missing], message: 'The field is required.' };
};

const errorOf = ({ path, message }: FieldProblem): RJSFValidationError => ({
  property: `.${path.join('.')}`,
  message,
  stack: message,
});

/** Names of fields may contain dots, so that paths are no texts here. */
const errorSchemaOf = (problems: readonly FieldProblem[]): ErrorSchema => {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of problems) builder.addErrors(message, [...path]);
  return builder.ErrorSchema;
};

/** The keywords that report the problems of other keywords once more. */
const LEADS = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems'],
  ...['$ref', 'allOf', 'if', 'then', 'else', 'dependentSchemas'],
]);

/** Returns the units that name a cause, and not those that only lead to it. */
const causesOf = (units: readonly OutputUnit[]): readonly OutputUnit[] => {
  const places = units
    .filter(({ keyword }) => !LEADS.has(keyword))
    .map(({ instanceLocation }) => `${instanceLocation}/`);
  return units.filter(
    ({ keyword, instanceLocation }) =>
      !LEADS.has(keyword) || !places.some((place) => place.startsWith(`${instanceLocation}/`)),
  );
};

const problemsOf = (schema: RJSFSchema, value: unknown): readonly FieldProblem[] => {
  const safe = withSafePatterns(schema, value);
  const { valid, errors } = new Validator(safe, '2020-12', false).validate(value);
  return valid ? [] : causesOf(errors).map(problemOf);
};

const safely = <T>(run: () => T, otherwise: T): T => {
  try {
    return run();
  } catch {
    // A schema from outside may be wrong; the gateway validates the arguments anyway.
    return otherwise;
  }
};

/** Validates forms by interpreting their schemas. The validators of the form library compile schemas to code, which the page's policy forbids. */
export const schemaValidator: ValidatorType = {
  validateFormData: (formData, schema): ValidationData<unknown> => {
    const problems = safely(() => problemsOf(schema, formData), []);
    return { errors: problems.map(errorOf), errorSchema: errorSchemaOf(problems) };
  },
  isValid: (schema, formData, rootSchema) =>
    safely(
      () => problemsOf({ ...definitionsOf(rootSchema), ...schema }, formData).length === 0,
      false,
    ),
  rawValidation: (schema, formData) => ({
    errors: safely(() => problemsOf(schema, formData).map(errorOf), []) as never[],
  }),
};

const definitionsOf = ({ $defs, definitions }: RJSFSchema): RJSFSchema => ({
  ...($defs !== undefined && { $defs }),
  ...(definitions !== undefined && { definitions }),
});
