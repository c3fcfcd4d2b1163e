import { isJsonObject } from '@gateway/call-contract';
import { isDeepStrictEqual } from 'node:util';
import {
  DEFAULT_API_GROUP,
  MAX_ISSUES,
  MAX_RESOURCE_BYTES,
  type McpServer,
  parseMcpServer,
  parseWorkflow,
  type Result,
  UNKNOWN_FIELD,
  type ValidationIssue,
  type ResourceKind,
  formatError,
} from '@gateway/crd-schemas';
import { type Mapping, printYaml } from '@gateway/files';
import { toFields, type VersionedObject } from '@gateway/kube-client';
import {
  interpretWorkflowDocument,
  createInvalidWorkflow,
  type WorkflowFile,
} from '../interpretation/interpret-resources.ts';
import type { ResourceKey, ResourceProblem, WorkflowResource } from '../port/resources.ts';

type Path = ValidationIssue['path'];

const withoutPath = (value: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item, index) =>
      index === key ? withoutPath(item, rest) : item,
    );
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== String(key)) return [[name, item]];
      return rest.length === 0 ? [] : [[name, withoutPath(item, rest)]];
    }),
  );
};

const findValue = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((parent, key) => {
    if (Array.isArray(parent)) return (parent as readonly unknown[])[Number(key)];
    return isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  }, value);

/** The maximum number of times that unknown fields are removed from a document; each time finds at least one more. */
const MAX_REMOVALS = 8;

type Parsed = Result<unknown, readonly ValidationIssue[]>;

/** The result of a parser for a document without its unknown fields. */
export interface Tolerated<P extends Parsed> {
  readonly parsed: P;
  /** The fields that are ignored. */
  readonly ignored: readonly ValidationIssue[];
}

/**
 * Parses a document without its unknown fields: the API server has removed misspelled fields, so that an unknown field belongs to a newer
 * CustomResourceDefinition.
 */
const parseTolerantly = <P extends Parsed>(
  document: unknown,
  parse: (document: unknown) => P,
): Tolerated<P> => {
  const ignored: ValidationIssue[] = [];
  let rest = document;
  for (let round = 0; ; round += 1) {
    const parsed = parse(rest);
    const unknown = parsed.ok
      ? []
      : parsed.error.filter(({ message }) => message === UNKNOWN_FIELD);
    if (unknown.length === 0 || round === MAX_REMOVALS) return { parsed, ignored };
    ignored.push(...unknown);
    for (const { path } of unknown) rest = withoutPath(rest, path);
  }
};

/** Returns a changed document without those fields that it had before with the same values. */
const withoutFields = (
  { before, after }: { readonly before: Mapping | undefined; readonly after: Mapping },
  fields: readonly ValidationIssue[],
): unknown =>
  fields
    .filter(({ path }) => isDeepStrictEqual(findValue(before, path), findValue(after, path)))
    .reduce<unknown>((rest, { path }) => withoutPath(rest, path), after);

export interface ObjectRules {
  readonly apiGroup?: string;
  /** Accepts servers of type `stdio`, which are commands in the pod of the gateway. */
  readonly allowStdio: boolean;
  /** Other namespaces whose Secrets a server may name. */
  readonly secretNamespaces: readonly string[];
}

/** The reason of a refused server, for its condition. */
export type RefusalReason =
  'ValidationFailed' | 'StdioNotAllowed' | 'SecretNotAllowed' | 'NameTaken';

/** The result of validating an object. */
export type ObjectOutcome =
  | { readonly kind: 'server'; readonly server: McpServer; readonly warnings: readonly string[] }
  | { readonly kind: 'workflow'; readonly workflow: WorkflowResource }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      /** `Stopped` for a server without a request to start: nothing failed. */
      readonly state: 'Failed' | 'Stopped';
      readonly problems: readonly ResourceProblem[];
    };

/** An object and the result of its validation. */
export interface InterpretedObject {
  readonly kind: ResourceKind;
  readonly key: ResourceKey;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Equal for versions with equal content. */
  readonly content: string;
  readonly outcome: ObjectOutcome;
}

type Document = Readonly<Record<string, unknown>>;

/** Returns the source of an object, for messages. */
export const formatObjectSource = ({ namespace, name }: ResourceKey): string =>
  `${namespace}/${name}`;

/** Returns the parts of an object that a user writes. */
const toDocument = ({ object }: VersionedObject): Document => {
  const { apiVersion, kind, metadata, spec } = object;
  const { name, namespace, labels, annotations, creationTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec,
  };
};

/** Returns a text that is equal for versions with equal content. */
export const computeContentKey = (versioned: VersionedObject): string =>
  JSON.stringify([
    versioned.object.metadata['uid'],
    versioned.omittedBytes ?? 0,
    toDocument(versioned),
  ]);

const readCreationTime = ({ object }: VersionedObject): number => {
  const at = Date.parse(String(object.metadata['creationTimestamp']));
  return Number.isNaN(at) ? 0 : at;
};

export const STDIO_REFUSAL =
  'spec.type: stdio servers are not started in a cluster, because each is a command that runs in the pod of the gateway; kubernetes.allowStdio: true permits them';

const formatSecretRefusal = (namespace: string): string =>
  `spec.auth: clientCredentialsSecretRef names a Secret of the namespace ${namespace}, which is not that of the server; kubernetes.secretNamespaces permits it`;

/**
 * Returns the namespace of a Secret that a server must not name: who may create a server would otherwise receive every Secret that the
 * gateway may read.
 */
const findForeignNamespace = (
  { metadata, spec }: McpServer,
  { secretNamespaces }: ObjectRules,
): string | undefined => {
  if (spec.type === 'stdio') return undefined;
  const { tokenExchange, authorizationServer } = spec.auth;
  return [tokenExchange, authorizationServer]
    .flatMap((part) => part?.clientCredentialsSecretRef?.namespace ?? [])
    .find((place) => place !== metadata.namespace && !secretNamespaces.includes(place));
};

/** The result of a server that is not used. */
const createServerRefusal = (
  key: ResourceKey,
  reason: RefusalReason,
  messages: readonly string[],
): Extract<ObjectOutcome, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason,
  state: 'Failed',
  problems: messages.map((message) => ({
    source: formatObjectSource(key),
    kind: 'MCPServer',
    name: key.name,
    message,
  })),
});

const toServerOutcome = (
  document: Document,
  key: ResourceKey,
  rules: ObjectRules,
): ObjectOutcome => {
  const { apiGroup = DEFAULT_API_GROUP } = rules;
  const { parsed, ignored } = parseTolerantly(document, (value) =>
    parseMcpServer(value, { apiGroup }),
  );
  if (!parsed.ok) {
    const messages = parsed.error.slice(0, MAX_ISSUES).map(formatError);
    return createServerRefusal(key, 'ValidationFailed', messages);
  }
  const { type, autoStart } = parsed.value.spec;
  if (type === 'stdio' && !rules.allowStdio) {
    const refused = createServerRefusal(key, 'StdioNotAllowed', [STDIO_REFUSAL]);
    return { ...refused, state: autoStart ? 'Failed' : 'Stopped' };
  }
  const secretPlace = findForeignNamespace(parsed.value, rules);
  if (secretPlace !== undefined)
    return createServerRefusal(key, 'SecretNotAllowed', [formatSecretRefusal(secretPlace)]);
  const warnings = ignored.map(
    (issue) => `${formatObjectSource(key)}: ${formatError(issue)}; this gateway ignores it`,
  );
  return { kind: 'server', server: parsed.value, warnings };
};

interface Times {
  readonly createdAt: number;
  readonly modifiedAt: number;
}

const toWorkflowFile = (key: ResourceKey, text: string, times: Times): WorkflowFile => ({
  name: key.name,
  file: formatObjectSource(key),
  text,
  times,
});

const toWorkflowOutcome = (
  document: Document,
  key: ResourceKey,
  { apiGroup, times }: Pick<ObjectRules, 'apiGroup'> & { readonly times: Times },
): ObjectOutcome => {
  const file = toWorkflowFile(key, printYaml(document), times);
  const located = { value: document, locate: () => ({}) };
  return { kind: 'workflow', workflow: interpretWorkflowDocument(file, located, apiGroup) };
};

/** The result of an object that is larger than a file may be, and whose contents were therefore not read. */
const createOversizeOutcome = (
  {
    kind,
    key,
    bytes,
  }: {
    readonly kind: ResourceKind;
    readonly key: ResourceKey;
    readonly bytes: number;
  },
  times: Times,
): ObjectOutcome => {
  const message = `metadata and spec have ${String(bytes)} bytes; a definition has at most ${String(MAX_RESOURCE_BYTES)}`;
  return kind === 'MCPServer'
    ? createServerRefusal(key, 'ValidationFailed', [message])
    : {
        kind: 'workflow',
        workflow: createInvalidWorkflow(toWorkflowFile(key, '', times), message),
      };
};

/** Validates an object of the API. Never throws. @spec §1.5 */
export const interpretObject = (
  kind: ResourceKind,
  versioned: VersionedObject,
  { now, ...rules }: ObjectRules & { readonly now: number },
): InterpretedObject => {
  const { namespace, name, generation } = versioned.object.metadata;
  const key = { namespace, name };
  const createdAt = readCreationTime(versioned);
  const times = { createdAt, modifiedAt: generation === 1 && createdAt > 0 ? createdAt : now };
  const content = computeContentKey(versioned);
  const { omittedBytes: bytes } = versioned;
  const base = { kind, key, createdAt, content };
  if (bytes !== undefined)
    return { ...base, outcome: createOversizeOutcome({ kind, key, bytes }, times) };
  const document = toDocument(versioned);
  const outcome =
    kind === 'MCPServer'
      ? toServerOutcome(document, key, rules)
      : toWorkflowOutcome(document, key, { ...rules, times });
  return { ...base, outcome };
};

const createParser = (
  kind: ResourceKind,
  apiGroup: string,
): ((document: unknown) => Result<unknown, readonly ValidationIssue[]>) =>
  kind === 'MCPServer'
    ? (document) => parseMcpServer(document, { apiGroup })
    : (document) => parseWorkflow(document, { apiGroup });

/** Returns a function that returns the problems of a document. Unknown fields that it had before are not problems. */
export const checkWith =
  ({ apiGroup = DEFAULT_API_GROUP, allowStdio }: Pick<ObjectRules, 'apiGroup' | 'allowStdio'>) =>
  (kind: ResourceKind, document: Mapping, before?: Mapping): readonly string[] => {
    if (Buffer.byteLength(JSON.stringify(document)) > MAX_RESOURCE_BYTES)
      return [`it would be larger than ${String(MAX_RESOURCE_BYTES)} bytes`];
    const parse = createParser(kind, apiGroup);
    const { ignored } = before === undefined ? { ignored: [] } : parseTolerantly(before, parse);
    const parsed = parse(withoutFields({ before, after: document }, ignored));
    if (!parsed.ok) return parsed.error.map(formatError);
    const isStdio = kind === 'MCPServer' && toFields(document['spec'])['type'] === 'stdio';
    return isStdio && !allowStdio ? [STDIO_REFUSAL] : [];
  };

/** Returns the fields of a workflow that only a newer CustomResourceDefinition has. */
export const readNewerFields = (document: Mapping, apiGroup: string): Mapping => {
  const { ignored } = parseTolerantly(document, createParser('Workflow', apiGroup));
  const names = ignored.flatMap(({ path: [field, name] }) => (field === 'spec' ? [name] : []));
  return Object.fromEntries(
    Object.entries(toFields(document['spec'])).filter(([name]) => names.includes(name)),
  );
};
