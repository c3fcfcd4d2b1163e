import {
  DEFAULT_API_GROUP,
  MAX_ISSUES,
  parseMcpServer,
  UNKNOWN_FIELD,
  validationIssueText,
  type McpServer,
  type ParsedMcpServer,
  type ValidationIssue,
} from '@gateway/crd-schemas';
import { isMapping, printYaml } from '@gateway/durable-files';
import type { VersionedObject } from '@gateway/kube-client';
import { interpretWorkflowDocument } from '../interpretation/interpret-workflow.ts';
import type { ResourceKey, ResourceKind } from '../port/resource-key.ts';
import type { ResourceProblem } from '../port/resource-problem.ts';
import type { WorkflowResource } from '../port/workflow-resource.ts';

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
  JSON.stringify([versioned.object.metadata['uid'], documentOf(versioned)]);

const createdAtOf = ({ object }: VersionedObject): number => {
  const at = Date.parse(String(object.metadata['creationTimestamp']));
  return Number.isNaN(at) ? 0 : at;
};

const withoutPath = (value: unknown, [key, ...rest]: ValidationIssue['path']): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item, index) =>
      index === key ? withoutPath(item, rest) : item,
    );
  if (!isMapping(value) || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== String(key)) return [[name, item]];
      return rest.length === 0 ? [] : [[name, withoutPath(item, rest)]];
    }),
  );
};

/** The maximum number of times that unknown fields are removed from a document; each time finds at least one more. */
const MAX_REMOVALS = 8;

interface Tolerated {
  readonly parsed: ParsedMcpServer;
  /** The fields that are ignored. */
  readonly ignored: readonly ValidationIssue[];
}

/**
 * Parses a server without its unknown fields: the API server has removed misspelled fields, so that an unknown field belongs to a newer
 * CustomResourceDefinition.
 */
const parseTolerantly = (document: Document, { apiGroup }: ObjectRules): Tolerated => {
  const ignored: ValidationIssue[] = [];
  let rest: unknown = document;
  for (let round = 0; ; round += 1) {
    const parsed = parseMcpServer(rest, { apiGroup: apiGroup ?? DEFAULT_API_GROUP });
    const unknown = parsed.ok
      ? []
      : parsed.issues.filter(({ message }) => message === UNKNOWN_FIELD);
    if (unknown.length === 0 || round === MAX_REMOVALS) return { parsed, ignored };
    ignored.push(...unknown);
    for (const { path } of unknown) rest = withoutPath(rest, path);
  }
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

const serverOutcome = (document: Document, key: ResourceKey, rules: ObjectRules): ObjectOutcome => {
  const { parsed, ignored } = parseTolerantly(document, rules);
  const refused = (reason: RefusalReason, messages: readonly string[]): ObjectOutcome => ({
    kind: 'refused',
    reason,
    problems: messages.map((message) => ({
      ...{ source: sourceOf(key), kind: 'MCPServer', name: key.name, message },
    })),
  });
  if (!parsed.ok)
    return refused('ValidationFailed', parsed.issues.slice(0, MAX_ISSUES).map(validationIssueText));
  if (parsed.server.spec.type === 'stdio' && !rules.allowStdio)
    return refused('StdioNotAllowed', [STDIO_REFUSAL]);
  const secretPlace = foreignSecretPlace(parsed.server, rules);
  if (secretPlace !== undefined) return refused('SecretNotAllowed', [secretRefusal(secretPlace)]);
  const warnings = ignored.map(
    (issue) => `${sourceOf(key)}: ${validationIssueText(issue)}; this gateway ignores it`,
  );
  return { kind: 'server', server: parsed.server, warnings };
};

const workflowOutcome = (
  document: Document,
  key: ResourceKey,
  { apiGroup, times }: Pick<ObjectRules, 'apiGroup'> & { readonly times: Times },
): ObjectOutcome => {
  const file = { name: key.name, file: sourceOf(key), text: printYaml(document), times };
  const located = { value: document, locate: () => ({}) };
  return { kind: 'workflow', workflow: interpretWorkflowDocument(file, located, apiGroup) };
};

interface Times {
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** Validates an object of the API. Never throws. @spec §1.5 */
export const interpretObject = (
  kind: ResourceKind,
  versioned: VersionedObject,
  { now, ...rules }: ObjectRules & { readonly now: number },
): InterpretedObject => {
  const { namespace, name, generation } = versioned.object.metadata;
  const key = { namespace, name };
  const document = documentOf(versioned);
  const createdAt = createdAtOf(versioned);
  const modifiedAt = generation === 1 && createdAt > 0 ? createdAt : now;
  const outcome =
    kind === 'MCPServer'
      ? serverOutcome(document, key, rules)
      : workflowOutcome(document, key, { ...rules, times: { createdAt, modifiedAt } });
  return { kind, key, createdAt, content: contentOf(versioned), outcome };
};
