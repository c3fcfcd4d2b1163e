import { type OutputUnit, Validator } from '@cfworker/json-schema';
import {
  type ErrorSchema,
  ErrorSchemaBuilder,
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
const parsePath = ({ instanceLocation }: OutputUnit): readonly string[] =>
  instanceLocation
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

const MISSING = /^Instance does not have required property "(.*)"\.$/su;

/** A missing property is reported at the field that is missing, every other problem where it is. */
const toProblem = (unit: OutputUnit): FieldProblem => {
  const missing = MISSING.exec(unit.error)?.[1];
  return missing === undefined
    ? { path: parsePath(unit), message: unit.error }
    : { path: [...parsePath(unit), missing], message: 'The field is required.' };
};

const toError = ({ path, message }: FieldProblem): RJSFValidationError => ({
  property: `.${path.join('.')}`,
  message,
  stack: message,
});

/** Names of fields may contain dots, so that paths are no texts here. */
const toErrorSchema = (problems: readonly FieldProblem[]): ErrorSchema => {
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
const findCauses = (units: readonly OutputUnit[]): readonly OutputUnit[] => {
  const places = units
    .filter(({ keyword }) => !LEADS.has(keyword))
    .map(({ instanceLocation }) => `${instanceLocation}/`);
  return units.filter(
    ({ keyword, instanceLocation }) =>
      !LEADS.has(keyword) || !places.some((place) => place.startsWith(`${instanceLocation}/`)),
  );
};

const findProblems = (schema: RJSFSchema, value: unknown): readonly FieldProblem[] => {
  const safe = withSafePatterns(schema, value);
  const { valid, errors } = new Validator(safe, '2020-12', false).validate(value);
  return valid ? [] : findCauses(errors).map(toProblem);
};

const tryOr = <T>(run: () => T, otherwise: T): T => {
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
    const problems = tryOr(() => findProblems(schema, formData), []);
    return { errors: problems.map(toError), errorSchema: toErrorSchema(problems) };
  },
  isValid: (schema, formData, rootSchema) =>
    tryOr(
      () => findProblems({ ...pickDefinitions(rootSchema), ...schema }, formData).length === 0,
      false,
    ),
  rawValidation: (schema, formData) => ({
    errors: tryOr(() => findProblems(schema, formData).map(toError), []) as never[],
  }),
};

const pickDefinitions = ({ $defs, definitions }: RJSFSchema): RJSFSchema => ({
  ...($defs !== undefined && { $defs }),
  ...(definitions !== undefined && { definitions }),
});
