import {
  authJsonSchema,
  MAX_START_TIMEOUT_SECONDS,
  MAX_TIMEOUT_SECONDS,
  MCP_SERVER_INSTANCES,
  MCP_SERVER_PROTOCOLS,
  MCP_SERVER_TYPES,
  MIN_START_TIMEOUT_SECONDS,
  MIN_TIMEOUT_SECONDS,
} from '@gateway/crd-schemas';
import {
  type ArrayArgument,
  type CoreArgument,
  type FlagArgument,
  type IntegerArgument,
  type ObjectArgument,
  patchSchemaOf,
  type TextArgument,
  withoutType,
} from './arguments.ts';

/** The name of a server. */
export const SERVER_NAME = {
  type: 'string',
  required: true,
  description: 'Name of the MCP server',
} as const satisfies TextArgument;

/** The rules of servers check the content and the lengths of a definition. */
const text = <const D extends string>(description: D) =>
  ({
    type: 'string',
    required: false,
    description,
    maxUnits: Number.POSITIVE_INFINITY,
  }) as const satisfies TextArgument;

const TEXTS_BY_NAME = { additionalProperties: { type: 'string' } } as const;

const KEY_REFERENCE = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    key: { type: 'string' },
    optional: { type: 'boolean' },
  },
  required: ['name', 'key'],
  additionalProperties: false,
} as const;

/** Each entry has exactly one of the two references. */
const REFERENCES = {
  items: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      secretKeyRef: KEY_REFERENCE,
      configMapKeyRef: KEY_REFERENCE,
    },
    required: ['name'],
    additionalProperties: false,
  },
} as const;

/** The fields of a server except its type, in the order of the schema. @spec §2.6 */
const FIELDS = {
  toolPrefix: text('Prefix of its tool names, in the place of its name'),
  family: {
    type: 'object',
    required: false,
    description: 'Servers of one family share one set of tools; instanceArg chooses the server',
    schema: {
      properties: { name: { type: 'string' }, instanceArg: { type: 'string' } },
      required: ['name', 'instanceArg'],
      additionalProperties: false,
    },
  },
  description: text('The purpose of the server'),
  autoStart: {
    type: 'boolean',
    required: false,
    description: 'Start it with the gateway',
    default: false,
  },
  command: text('Executable of a stdio server'),
  args: {
    type: 'array',
    required: false,
    description: 'Arguments of the executable; stdio only',
    schema: { items: { type: 'string' } },
  },
  cwd: text('Working directory; stdio only'),
  startTimeout: {
    type: 'integer',
    required: false,
    description: 'Seconds to start within, installation included; stdio only',
    minimum: MIN_START_TIMEOUT_SECONDS,
    maximum: MAX_START_TIMEOUT_SECONDS,
  },
  instances: {
    ...text('Connections: shared, or perSession for a process or session per client'),
    schema: { enum: MCP_SERVER_INSTANCES },
  },
  protocol: { ...text('Revision of MCP; auto unless set'), schema: { enum: MCP_SERVER_PROTOCOLS } },
  url: text('Endpoint of a remote server'),
  env: {
    type: 'object',
    required: false,
    description: 'Environment variables; shown as *** afterwards',
    schema: TEXTS_BY_NAME,
  },
  headers: {
    type: 'object',
    required: false,
    description: 'Headers of each request to a remote server; shown as *** afterwards',
    schema: TEXTS_BY_NAME,
  },
  envFrom: {
    type: 'array',
    required: false,
    description: 'Environment variables whose values are in Secrets and ConfigMaps; stdio only',
    schema: REFERENCES,
  },
  headersFrom: {
    type: 'array',
    required: false,
    description: 'Headers whose values are in Secrets and ConfigMaps; remote only',
    schema: REFERENCES,
  },
  timeout: {
    type: 'integer',
    required: false,
    description: 'Seconds to connect within',
    minimum: MIN_TIMEOUT_SECONDS,
    maximum: MAX_TIMEOUT_SECONDS,
    default: 30,
  },
  auth: {
    type: 'object',
    required: false,
    description: 'How a remote server authenticates callers',
    schema: withoutType(authJsonSchema()),
  },
} as const satisfies Readonly<
  Record<string, TextArgument | FlagArgument | IntegerArgument | ArrayArgument | ObjectArgument>
>;

const TYPE = {
  ...text('How the server is reached'),
  schema: { enum: MCP_SERVER_TYPES },
} as const satisfies TextArgument;

/** The fields of a server definition; the rules of servers report missing ones. @spec §2.6 */
export const CHECKED_ARGUMENTS = { name: SERVER_NAME, type: TYPE, ...FIELDS } as const;

/** The definition of a new server in fields. @spec §2.6 */
export const CREATE_ARGUMENTS = {
  name: SERVER_NAME,
  type: { ...TYPE, required: true },
  ...FIELDS,
} as const;

type Nullable<A> = { readonly [K in keyof A]: Omit<A[K], 'default'> & { readonly nullable: true } };

/** Absent fields stay unchanged and `null` removes a field, so there are no defaults. */
const nullable = <A extends Readonly<Record<string, CoreArgument>>>(table: A): Nullable<A> =>
  Object.fromEntries(
    Object.entries(table).map(([name, argument]) => {
      const { default: _unused, ...rest } = { default: undefined, ...argument };
      const schema = argument.type === 'object' && { schema: patchSchemaOf(argument.schema) };
      return [name, { ...rest, ...schema, nullable: true }];
    }),
  ) as Nullable<A>;

/** The fields of a server that can change; `null` removes one. @spec §2.6 */
export const UPDATE_ARGUMENTS = { name: SERVER_NAME, ...nullable({ type: TYPE, ...FIELDS }) };
