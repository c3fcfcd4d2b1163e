import { type ServerArgument, listServerArguments } from '@gateway/crd-schemas';
import {
  type CoreArgument,
  type CoreArguments,
  createPatchSchema,
  type TextArgument,
  withoutType,
} from './arguments.ts';

export const SERVER_NAME = {
  type: 'string',
  required: true,
  description: 'Name of the MCP server',
} as const satisfies TextArgument;

/** Returns an argument for a field of a server. The rules of servers check contents and lengths, so that only the kind is checked here. */
const toArgument = ({ description, schema }: ServerArgument): CoreArgument => {
  const base = { required: false, description };
  const details = withoutType(schema);
  const { type } = schema;
  if (type === 'boolean' || type === 'integer')
    return { ...base, ...schema } as unknown as CoreArgument;
  return type === 'array' || type === 'object'
    ? { ...base, type, schema: details }
    : { ...base, type: 'string', maxUnits: Number.POSITIVE_INFINITY, schema: details };
};

const FIELDS: CoreArguments = Object.fromEntries(
  listServerArguments().map((field) => [field.name, toArgument(field)]),
);

/** The fields of a server definition; the rules of servers report missing ones. @spec §2.6 */
export const CHECKED_ARGUMENTS = { name: SERVER_NAME, ...FIELDS };

/** The definition of a new server in fields. @spec §2.6 */
export const CREATE_ARGUMENTS = {
  ...CHECKED_ARGUMENTS,
  type: { ...FIELDS['type'], required: true } as CoreArgument,
};

/** Absent fields stay unchanged and `null` removes a field, so there are no defaults. */
const toNullable = (argument: CoreArgument): CoreArgument => {
  const { default: _unused, ...rest } = { default: undefined, ...argument };
  const schema = argument.type === 'object' && { schema: createPatchSchema(argument.schema) };
  return { ...rest, ...schema, nullable: true };
};

/** The fields of a server that can change; `null` removes one. @spec §2.6 */
export const UPDATE_ARGUMENTS = {
  name: SERVER_NAME,
  ...Object.fromEntries(
    Object.entries(FIELDS).map(([name, argument]) => [name, toNullable(argument)]),
  ),
};
