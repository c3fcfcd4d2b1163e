import {
  DEFAULT_API_GROUP,
  MAX_ISSUES,
  MAX_RESOURCE_BYTES,
  parseMcpServer,
  validationIssueText,
  type McpServer,
} from '@gateway/crd-schemas';
import { printYaml } from '@gateway/files';
import type { VersionedObject } from '@gateway/kube-client';
import {
  interpretWorkflowDocument,
  refusedWorkflow,
  type WorkflowFile,
} from '../interpretation/interpret-workflow.ts';
import type { ResourceKey, ResourceKind } from '../port/resource-key.ts';
import type { ResourceProblem } from '../port/resource-problem.ts';
import type { WorkflowResource } from '../port/workflow-resource.ts';
import { parseTolerantly } from './unknown-fields.ts';

/** The rules of a store for its objects. */
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
export const sourceOf = ({ namespace, name }: ResourceKey): string => `${namespace}/${name}`;

/** Returns the parts of an object that a user writes. */
const documentOf = ({ object }: VersionedObject): Document => {
  const { apiVersion, kind, metadata, spec } = object;
  const { name, namespace, labels, annotations, creationTimestamp } = metadata;
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...{ name, namespace },
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec,
  };
};

/** Returns a text that is equal for versions with equal content. */
export const contentOf = (versioned: VersionedObject): string =>
  JSON.stringify([
    versioned.object.metadata['uid'],
    versioned.omittedBytes ?? 0,
    documentOf(versioned),
  ]);

const createdAtOf = ({ object }: VersionedObject): number => {
  const at = Date.parse(String(object.metadata['creationTimestamp']));
  return Number.isNaN(at) ? 0 : at;
};

/** The refusal of a server of type `stdio`. */
export const STDIO_REFUSAL =
  'spec.type: stdio servers are not started in a cluster, because each is a command that runs in the pod of the gateway; kubernetes.allowStdio: true permits them';

const secretRefusal = (namespace: string): string =>
  `spec.auth: clientCredentialsSecretRef names a Secret of the namespace ${namespace}, which is not that of the server; kubernetes.secretNamespaces permits it`;

/**
 * Returns the namespace of a Secret that a server must not name: who may create a server would otherwise receive every Secret that the
 * gateway may read.
 */
const foreignSecretPlace = (
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
const refusedServer = (
  key: ResourceKey,
  reason: RefusalReason,
  messages: readonly string[],
): Extract<ObjectOutcome, { readonly kind: 'refused' }> => ({
  kind: 'refused',
  reason,
  state: 'Failed',
  problems: messages.map((message) => ({
    ...{ source: sourceOf(key), kind: 'MCPServer', name: key.name, message },
  })),
});

const serverOutcome = (document: Document, key: ResourceKey, rules: ObjectRules): ObjectOutcome => {
  const { apiGroup = DEFAULT_API_GROUP } = rules;
  const { parsed, ignored } = parseTolerantly(document, (value) =>
    parseMcpServer(value, { apiGroup }),
  );
  if (!parsed.ok) {
    const messages = parsed.issues.slice(0, MAX_ISSUES).map(validationIssueText);
    return refusedServer(key, 'ValidationFailed', messages);
  }
  const { type, autoStart } = parsed.server.spec;
  if (type === 'stdio' && !rules.allowStdio) {
    const refused = refusedServer(key, 'StdioNotAllowed', [STDIO_REFUSAL]);
    return { ...refused, state: autoStart ? 'Failed' : 'Stopped' };
  }
  const secretPlace = foreignSecretPlace(parsed.server, rules);
  if (secretPlace !== undefined)
    return refusedServer(key, 'SecretNotAllowed', [secretRefusal(secretPlace)]);
  const warnings = ignored.map(
    (issue) => `${sourceOf(key)}: ${validationIssueText(issue)}; this gateway ignores it`,
  );
  return { kind: 'server', server: parsed.server, warnings };
};

interface Times {
  readonly createdAt: number;
  readonly modifiedAt: number;
}

const workflowFile = (key: ResourceKey, text: string, times: Times): WorkflowFile => ({
  ...{ name: key.name, file: sourceOf(key), text, times },
});

const workflowOutcome = (
  document: Document,
  key: ResourceKey,
  { apiGroup, times }: Pick<ObjectRules, 'apiGroup'> & { readonly times: Times },
): ObjectOutcome => {
  const file = workflowFile(key, printYaml(document), times);
  const located = { value: document, locate: () => ({}) };
  return { kind: 'workflow', workflow: interpretWorkflowDocument(file, located, apiGroup) };
};

/** The result of an object that is larger than a file may be, and whose contents were therefore not read. */
const oversizedOutcome = (
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
    ? refusedServer(key, 'ValidationFailed', [message])
    : { kind: 'workflow', workflow: refusedWorkflow(workflowFile(key, '', times), message) };
};

/** Validates an object of the API. Never throws. @spec §1.5 */
export const interpretObject = (
  kind: ResourceKind,
  versioned: VersionedObject,
  { now, ...rules }: ObjectRules & { readonly now: number },
): InterpretedObject => {
  const { namespace, name, generation } = versioned.object.metadata;
  const key = { namespace, name };
  const createdAt = createdAtOf(versioned);
  const times = { createdAt, modifiedAt: generation === 1 && createdAt > 0 ? createdAt : now };
  const content = contentOf(versioned);
  const { omittedBytes: bytes } = versioned;
  const base = { kind, key, createdAt, content };
  if (bytes !== undefined)
    return { ...base, outcome: oversizedOutcome({ kind, key, bytes }, times) };
  const document = documentOf(versioned);
  const outcome =
    kind === 'MCPServer'
      ? serverOutcome(document, key, rules)
      : workflowOutcome(document, key, { ...rules, times });
  return { ...base, outcome };
};
