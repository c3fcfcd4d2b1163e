import type { JsonObject } from '@gateway/call-contract';
import { isJsonObject } from '../arguments/argument-kinds.ts';

type Check = (value: unknown) => boolean;

/** The fields of an entry that clients validate, each with its condition. Other fields are not validated. */
export type FieldChecks = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number';

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const objectOf =
  (fields: FieldChecks, required: readonly string[] = []): Check =>
  (value) =>
    isJsonObject(value) &&
    required.every((key) => Object.hasOwn(value, key)) &&
    Object.entries(value).every(([key, field]) => checkOf(fields, key)?.(field) ?? true);

const checkOf = (fields: FieldChecks, key: string): Check | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

const isIcon = objectOf({ src: isText, mimeType: isText, sizes: listOf(isText) }, ['src']);

const common = {
  title: isText,
  description: isText,
  icons: listOf(isIcon),
  _meta: isJsonObject,
} as const;

const isAudience: Check = (value) => value === 'user' || value === 'assistant';

const resourceFields = {
  ...common,
  mimeType: isText,
  annotations: objectOf({
    audience: listOf(isAudience),
    priority: isNumber,
    lastModified: isText,
  }),
} as const;

const isTaskSupport: Check = (value) =>
  value === 'required' || value === 'optional' || value === 'forbidden';

const isObjectSchema: Check = (value) => isJsonObject(value) && value['type'] === 'object';

/** Of a tool's entry. */
export const TOOL_FIELDS: FieldChecks = {
  ...common,
  outputSchema: isObjectSchema,
  annotations: objectOf({
    title: isText,
    readOnlyHint: isFlag,
    destructiveHint: isFlag,
    idempotentHint: isFlag,
    openWorldHint: isFlag,
  }),
  execution: objectOf({ taskSupport: isTaskSupport }),
};

/** Of a resource's entry. */
export const RESOURCE_FIELDS: FieldChecks = { ...resourceFields, size: isNumber };

/** Of a resource template's entry. */
export const TEMPLATE_FIELDS: FieldChecks = resourceFields;

/** Of a prompt's entry. */
export const PROMPT_FIELDS: FieldChecks = {
  ...common,
  arguments: listOf(
    objectOf({ name: isText, title: isText, description: isText, required: isFlag }, ['name']),
  ),
};

/**
 * Returns the entry without the fields that no client would accept, so that one server's error does not invalidate the whole
 * list; the same object when there are none.
 */
export const acceptable = (entry: JsonObject, fields: FieldChecks): JsonObject => {
  const isFine = ([key, value]: readonly [string, unknown]): boolean =>
    checkOf(fields, key)?.(value) ?? true;
  const entries = Object.entries(entry);
  return entries.every(isFine) ? entry : Object.fromEntries(entries.filter(isFine));
};
