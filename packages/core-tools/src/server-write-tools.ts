import {
  type JsonObject,
  readOwnField,
  type RestrictedWrite,
  type ServerWriteOutcome,
  toList,
  toObject,
} from '@gateway/call-contract';
import { createSecretPlace, extractSecrets } from '@gateway/client-config';
import {
  formatApiVersion,
  MCP_SERVER_KIND,
  MCP_SERVER_TYPES,
  parseMcpServer,
  SECRET_FIELDS,
  findPlaceholderField,
  findSecretReference,
  formatError,
  type MisdirectedValue,
  formatMisdirectedValues,
  removeMisdirectedValues,
} from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import {
  type CoreTool,
  CREATES,
  defineCoreTool,
  DISRUPTS,
  ENDS_OR_REPLACES,
  createErrorResult,
  READS,
  createSentenceResult,
} from './core-tool.ts';
import type { CoreToolPorts } from './ports.ts';
import { keepSecrets, withoutSecrets } from './redaction.ts';
import {
  CHECKED_ARGUMENTS,
  CREATE_ARGUMENTS,
  SERVER_NAME,
  UPDATE_ARGUMENTS,
} from './server-arguments.ts';
import { createRegistration } from './server-info.ts';

/** The rules of resources, expressed with argument names. */
const IN_OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['spec.type: type is required', 'type is required'],
  ['spec.command: command is required when type is stdio', 'command is required for stdio type'],
  [
    'spec.url: url is required when type is streamable-http or sse',
    'url is required for streamable-http and sse types',
  ],
  [
    'spec.auth: auth configuration is only supported for remote server types (streamable-http or sse)',
    'auth configuration is only supported for remote server types (streamable-http or sse)',
  ],
]);

const MAX_SHOWN_CHARS = 100;

/**
 * Returns a problem of a resource, expressed with the arguments of the call.
 *
 * @param type the argument `type`, named in the problem of an unknown type
 * @spec §7.6
 */
const formatDefinitionProblem = (issue: string, type: unknown): string => {
  if (typeof type === 'string' && issue.startsWith('spec.type: must be one of ')) {
    const known = MCP_SERVER_TYPES.join(', ');
    return `unsupported MCP server type: ${type.slice(0, MAX_SHOWN_CHARS)} (supported: ${known})`;
  }
  return IN_OTHER_WORDS.get(issue) ?? issue.replace(/^(?:spec|metadata)\./, '');
};

const REMEDY = 'coreTools.secretReferences: true permits it';

/** Returns why a definition or a patch is refused: who may write it would otherwise receive every value that the gateway may read. */
const validateReferences = (
  spec: unknown,
  { permitsSecretReferences }: Pick<CoreToolPorts, 'permitsSecretReferences'>,
): string | undefined => {
  if (permitsSecretReferences()) return undefined;
  const placeholder = findPlaceholderField(spec);
  if (placeholder !== undefined)
    return `spec.${placeholder}: core tools write no placeholders of variables and files; ${REMEDY}`;
  const field = findSecretReference(spec);
  return field === undefined
    ? undefined
    : `spec.${field}: core tools write no definition that names Secrets or ConfigMaps; ${REMEDY}`;
};

/** Returns why a change of a field is refused. Another address or command would receive the values of the server. */
const formatRestriction = (field: string): string =>
  `spec.${field}: the definition names Secrets or ConfigMaps, so that core tools change no field that decides where their values are sent; give the values again, or ${REMEDY}`;

/** Returns a definition in fields: the name, and the given fields of `spec`. */
interface Definition {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** `type` comes first, as in hand-written files. */
const toSpec = ({ name: _name, type, ...fields }: Definition): JsonObject => ({
  ...(type !== undefined && { type }),
  ...fields,
});

/** Returns the resource of a definition, or its problems. @spec §2.6, §7.6 */
const createDocument = (
  definition: Definition,
  ports: CoreToolPorts,
  annotations: JsonObject = {},
): { readonly document: JsonObject } | { readonly problems: readonly string[] } => {
  const { apiGroup } = ports;
  const spec = keepSecrets({}, toSpec(definition));
  if (!spec.ok) return spec;
  const document = {
    apiVersion: formatApiVersion(apiGroup),
    kind: MCP_SERVER_KIND,
    metadata: { name: definition.name, ...annotations },
    spec: spec.patch,
  };
  const refused = validateReferences(spec.patch, ports);
  if (refused !== undefined) return { problems: [refused] };
  const parsed = parseMcpServer(document, { apiGroup });
  const extracted = extractSecrets({
    place: createSecretPlace(definition.name, ports.mode === 'kubernetes' ? 'object' : 'files'),
    before: {},
    change: spec.patch,
  });
  const issues = parsed.ok ? (extracted.ok ? [] : extracted.issues) : parsed.error.map(formatError);
  return issues.length === 0
    ? { document }
    : { problems: issues.map((issue) => formatDefinitionProblem(issue, definition['type'])) };
};

const createInvalidResult = (problems: readonly string[]): JsonObject =>
  createErrorResult(`Invalid MCP server definition: ${problems.join('; ')}`, { problems });

const createSuccessResult = (sentence: string, removed: readonly MisdirectedValue[]): JsonObject =>
  removed.length === 0
    ? createSentenceResult(sentence)
    : createSentenceResult(`${sentence}. ${formatMisdirectedValues(removed)}`, {
        removed: removed.map(({ field, name }) => `${field}.${name}`),
      });

type Verb = 'create' | 'update' | 'delete';

const writeResult = (
  verb: Verb,
  { name, ...fields }: Definition,
  outcome: ServerWriteOutcome | RestrictedWrite,
  removed: readonly MisdirectedValue[] = [],
): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return createSuccessResult(`MCP server '${name}' ${verb}d successfully`, removed);
    case 'exists':
      return createErrorResult(`MCP server '${name}' already exists`);
    case 'missing':
      return createErrorResult(`Failed to ${verb} MCP server: MCP server ${name} not found`);
    case 'invalid':
      return createInvalidResult(
        outcome.issues.map((issue) => formatDefinitionProblem(issue, fields['type'])),
      );
    case 'restricted':
      return createInvalidResult([formatRestriction(outcome.field)]);
    case 'failed':
      return createErrorResult(`Failed to ${verb} MCP server: ${outcome.text}`);
  }
};

/** Returns the values that `***` in a patch stands for. */
const readCurrentSpec = (name: string, ports: CoreToolPorts): JsonObject => ({
  ...ports.servers().find((one) => one.name === name)?.definition.spec,
});

/** The fields that can refer to values. */
const REFERRING = ['args', 'url', 'envFrom', 'headersFrom', 'tools'];

/** Returns a change without the references that it repeats. */
const withoutRepeated = (current: JsonObject, change: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(change).filter(
      ([field, value]) => !REFERRING.includes(field) || !isDeepStrictEqual(value, current[field]),
    ),
  );

/** Returns a definition in which a masked variable or header also stands for a reference. Their values are not known here. */
const withReferencedNames = (current: JsonObject): JsonObject => {
  const values = SECRET_FIELDS.map((field) => {
    const names = toList(current[`${field}From`]).map((entry) => [readOwnField(entry, 'name'), '']);
    return [field, { ...Object.fromEntries(names), ...toObject(current[field]) }] as const;
  });
  return { ...current, ...Object.fromEntries(values) };
};

const isOtherCommand = ({ command: before }: JsonObject, { command }: JsonObject): boolean =>
  typeof command === 'string' && command !== before;

/** Returns whether arguments have values that are masked. */
const hasSecretArguments = ({ args }: JsonObject): boolean =>
  JSON.stringify(withoutSecrets({ args })) !== JSON.stringify({ args });

const OTHER_ARGUMENTS =
  'args has hidden values, which were for another command: give the arguments of this one';

/** The tools that check and write servers. @spec §2.6 */
export const serverWriteTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_mcpserver_validate',
    description: 'Check the definition of an MCP server without creating it.',
    annotations: READS,
    arguments: CHECKED_ARGUMENTS,
    run: (definition, ports) => {
      const made = createDocument(definition, ports);
      return 'problems' in made
        ? createErrorResult(`Validation failed: ${made.problems.join('; ')}`, {
            problems: made.problems,
          })
        : createSentenceResult(`Validation successful for mcpserver ${definition.name}`);
    },
  }),
  defineCoreTool({
    name: 'core_mcpserver_create',
    description: 'Create an MCP server; it starts at once with autoStart.',
    annotations: CREATES,
    arguments: CREATE_ARGUMENTS,
    run: async (definition, ports, context) => {
      const made = createDocument(definition, ports, createRegistration(ports, context));
      if ('problems' in made) return createInvalidResult(made.problems);
      return writeResult('create', definition, await ports.writeServer.create(made.document));
    },
  }),
  defineCoreTool({
    name: 'core_mcpserver_update',
    description:
      'Change fields of an MCP server: what is left out stays, null removes a field or a key, lists are replaced, *** keeps a secret.',
    annotations: ENDS_OR_REPLACES,
    arguments: UPDATE_ARGUMENTS,
    run: async (definition, ports) => {
      const { name } = definition;
      const current = readCurrentSpec(name, ports);
      const change = withoutRepeated(current, toSpec(definition));
      const hasOtherCommand = isOtherCommand(current, change);
      if (hasOtherCommand && change['args'] === undefined && hasSecretArguments(current))
        return createInvalidResult([OTHER_ARGUMENTS]);
      const known = withReferencedNames(current);
      const kept = keepSecrets(hasOtherCommand ? { ...known, args: [] } : known, change);
      if (!kept.ok) return createInvalidResult(kept.problems);
      const refused = validateReferences(kept.patch, ports);
      if (refused !== undefined) return createInvalidResult([refused]);
      const limits = { keepsDestination: !ports.permitsSecretReferences() };
      const { change: patch, removed } = removeMisdirectedValues(current, kept.patch);
      const outcome = await ports.writeServer.patch(name, patch, limits);
      return writeResult('update', definition, outcome, removed);
    },
  }),
  defineCoreTool({
    name: 'core_mcpserver_delete',
    description: 'Delete an MCP server permanently; a running server is stopped.',
    annotations: DISRUPTS,
    arguments: { name: SERVER_NAME },
    run: async ({ name }, ports) =>
      writeResult('delete', { name }, await ports.writeServer.remove(name)),
  }),
];
