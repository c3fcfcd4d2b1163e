import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import {
  toErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  type ValidationData,
  type ValidatorType,
} from '@rjsf/utils';

/** The pointer of a JSON Schema output unit as the path of a field, `#/a/b` to `.a.b`. */
const propertyOf = ({ instanceLocation }: OutputUnit): string =>
  instanceLocation
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const MISSING = /^Instance does not have required property "(.*)"\.$/su;

/** A missing property is reported at the field that is missing, every other problem where it is. */
const problemOf = (unit: OutputUnit): RJSFValidationError => {
  const missing = MISSING.exec(unit.error)?.[1];
  const property = missing === undefined ? propertyOf(unit) : `${propertyOf(unit)}.${missing}`;
  const message = missing === undefined ? unit.error : 'The field is required.';
  return { property, message, stack: message };
};

/** The last unit names the cause; those before it only lead to it. */
const errorsOf = (schema: RJSFSchema, value: unknown): RJSFValidationError[] => {
  const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(value);
  if (valid) return [];
  const isLeaf = (unit: OutputUnit): boolean =>
    !errors.some(
      (other) => other !== unit && other.instanceLocation.startsWith(`${unit.instanceLocation}/`),
    );
  return errors.filter(isLeaf).map(problemOf);
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
    const errors = safely(() => errorsOf(schema, formData), []);
    return { errors, errorSchema: toErrorSchema(errors) };
  },
  isValid: (schema, formData, rootSchema) =>
    safely(
      () => errorsOf({ ...definitionsOf(rootSchema), ...schema }, formData).length === 0,
      false,
    ),
  rawValidation: (schema, formData) => ({
    errors: safely(() => errorsOf(schema, formData), []) as never[],
  }),
};

const definitionsOf = ({ $defs, definitions }: RJSFSchema): RJSFSchema => ({
  ...($defs !== undefined && { $defs }),
  ...(definitions !== undefined && { definitions }),
});
