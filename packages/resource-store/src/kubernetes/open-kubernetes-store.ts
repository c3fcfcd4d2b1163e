import { isJsonObject, type RestrictedWrite, type WriteOutcome } from '@gateway/call-contract';
import { createSecretPlace, type SecretPlace } from '@gateway/client-config';
import {
  DEFAULT_API_GROUP,
  DEFAULT_NAMESPACE,
  type McpServerStatus,
  formatStopAnnotation,
  type Workflow,
  toWorkflowDocument,
  type ResourceKind,
} from '@gateway/crd-schemas';
import type { EventLines, StoredEvent } from '@gateway/events';
import { type Mapping, mergePatch } from '@gateway/files';
import {
  type ApiConnection,
  toFields,
  isNotFound,
  type Leadership,
  formatObjectPath,
  SOLE_LEADER,
  parseVersionedObject,
} from '@gateway/kube-client';
import { type ComposedObjects, DefinitionState } from './definition-state.ts';
import {
  DefinitionWriter,
  type DefinitionWriteResult,
  type EditedDefinition,
} from './definition-writer.ts';
import { EventObjects, type EventObjectPlace } from './event-objects.ts';
import { FollowedDefinitions } from './followed-definitions.ts';
import {
  checkWith,
  type InterpretedObject,
  readNewerFields,
  type RefusalReason,
} from './interpret-object.ts';
import { SecretObjects } from './secret-objects.ts';
import { StatusWriter } from './status-writer.ts';
import { changeServer, findRestriction } from '../interpretation/change-server.ts';
import type {
  ResourceStore,
  ServerWriter,
  StatusByKind,
  StatusReference,
  WorkflowWriter,
} from '../port/resource-store.ts';

/** The status of a definition that depends on the definition alone. */
export interface DefinitionStatus {
  readonly reference: StatusReference;
  readonly status: StatusByKind[ResourceKind];
}

/** Returns the current status of a definition. */
type StatusLookup = (reference: StatusReference) => StatusByKind[ResourceKind] | undefined;

const formatMessages = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} (and ${String(others.length)} more)`;

const createServerRefusal = (
  reason: RefusalReason,
  message: string,
  state: 'Failed' | 'Stopped' = 'Failed',
): McpServerStatus => ({
  state,
  lastError: message,
  restartCount: 0,
  consecutiveFailures: 0,
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason,
      message,
      lastTransitionTime: new Date().toISOString(),
    },
  ],
});

const computeServerStatus = (
  { outcome }: InterpretedObject,
  nameTaken: string | undefined,
): McpServerStatus | undefined => {
  if (nameTaken !== undefined) return createServerRefusal('NameTaken', nameTaken);
  if (outcome.kind !== 'refused') return undefined;
  const { reason, problems, state } = outcome;
  return createServerRefusal(reason, formatMessages(problems.map(({ message }) => message)), state);
};

const resolveWorkflowStatus = (
  { outcome }: InterpretedObject,
  nameTaken: string | undefined,
): StatusByKind['Workflow'] | undefined => {
  if (outcome.kind !== 'workflow') return undefined;
  const { status } = outcome.workflow;
  if (nameTaken === undefined) return status;
  const [condition] = status.conditions;
  return {
    ...status,
    valid: false,
    validationErrors: [nameTaken],
    conditions:
      condition === undefined
        ? []
        : [{ ...condition, status: 'False', reason: 'NameTaken', message: nameTaken }],
  };
};

/** Equal except for the times of transitions, which the cluster has. */
const isSameRefusal = (a: McpServerStatus, b: unknown): boolean => {
  const { lastError, state } = toFields(b);
  return lastError === a.lastError && state === a.state;
};

/** Returns the statuses of all workflows, and of servers that are refused and do not have this status yet. */
const listDefinitionStatuses = (
  { nameTaken }: ComposedObjects,
  objects: readonly InterpretedObject[],
  statusOf: StatusLookup,
): readonly DefinitionStatus[] =>
  objects.flatMap((object): readonly DefinitionStatus[] => {
    const reference = { kind: object.kind, ...object.key };
    const taken = nameTaken.get(object);
    if (object.kind === 'Workflow') {
      const status = resolveWorkflowStatus(object, taken);
      return status === undefined || statusOf(reference) === status ? [] : [{ reference, status }];
    }
    const status = computeServerStatus(object, taken);
    return status === undefined || isSameRefusal(status, statusOf(reference))
      ? []
      : [{ reference, status }];
  });

/** Options of following the definitions of a cluster. */
export interface KubernetesStoreOptions {
  /** The caller closes it. Its field manager owns the written fields. */
  readonly connection: ApiConnection;
  readonly apiGroup?: string;
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  /** The namespace of new definitions without one: the first of `namespaces` when absent, else `default`. */
  readonly namespace?: string;
  /** Accepts servers of type `stdio`, which are commands in the pod of the gateway. */
  readonly allowStdio: boolean;
  /** Other namespaces whose Secrets a server may name; none when absent. */
  readonly secretNamespaces?: readonly string[];
  /** The replica that leads writes statuses; this process when absent. */
  readonly leadership?: Leadership;
  /** Called with a line for the log. Must not throw. */
  readonly onWarning?: (line: string) => void;
}

/** The definitions of a cluster. */
export interface KubernetesStore extends ResourceStore {
  readonly read: Promise<void>;
  /** Events about the definitions, as objects of the cluster. */
  readonly eventLines: EventLines;
  /** Stops following. Resolves when the running writes have ended. */
  readonly close: () => Promise<void>;
}

/** Rejects none of the results of a workflow, which was validated before. */
const toWriteOutcome = (result: DefinitionWriteResult): WriteOutcome =>
  result.kind === 'invalid' ? { kind: 'failed', text: result.issues.join('; ') } : result;

const createServerWriter = (writer: DefinitionWriter, apiGroup: string): ServerWriter => ({
  create: async (document, secrets) => {
    const { spec } = document;
    if (!isJsonObject(spec)) return writer.create('MCPServer', document);
    const changed = changeServer(
      { ...document, spec: {} },
      { place: toPlace(document), specPatch: spec, secrets },
    );
    return changed.ok
      ? writer.create('MCPServer', changed.document, changed.secrets)
      : changed.result;
  },
  patch: (key, specPatch, limits = { keepsDestination: false }, secrets = []) =>
    writer.change<RestrictedWrite>('MCPServer', key, (before) => {
      const changed = changeServer(before, { place: toPlace(before), specPatch, secrets });
      if (!changed.ok) return changed;
      const result = findRestriction(before, changed, limits);
      return result === undefined ? changed : { ok: false, result };
    }),
  requestStop: (key, isRequested) =>
    writer.change('MCPServer', key, (before) => ({
      ok: true,
      document: mergePatch(before, {
        metadata: { annotations: { [formatStopAnnotation(apiGroup)]: String(isRequested) } },
      }) as Mapping,
    })),
  remove: (key) => writer.remove('MCPServer', key),
});

const toPlace = ({ metadata }: Mapping): SecretPlace =>
  createSecretPlace(String(toFields(metadata)['name']), 'object');

const replaceSpec =
  (workflow: Workflow, apiGroup: string) =>
  (before: Mapping): EditedDefinition<never> => {
    const { metadata, spec } = toWorkflowDocument(workflow);
    const known = toFields(before['metadata']);
    const merged = (key: 'labels' | 'annotations') => ({
      ...toFields(known[key]),
      ...metadata[key],
    });
    return {
      ok: true,
      document: {
        ...before,
        metadata: { ...known, labels: merged('labels'), annotations: merged('annotations') },
        spec: {
          ...readNewerFields(before, apiGroup),
          ...(JSON.parse(JSON.stringify(spec)) as Mapping),
        },
      },
    };
  };

const createWorkflowWriter = (writer: DefinitionWriter, apiGroup: string): WorkflowWriter => ({
  create: async (workflow) => {
    const document = JSON.parse(JSON.stringify(toWorkflowDocument(workflow))) as Mapping;
    return toWriteOutcome(await writer.create('Workflow', document));
  },
  replace: async (workflow) =>
    toWriteOutcome(
      await writer.change('Workflow', workflow.metadata, replaceSpec(workflow, apiGroup)),
    ),
  remove: (key) => writer.remove('Workflow', key),
});

/** Reads the current version of an object into the followed ones. */
const refreshObject = async (
  connection: ApiConnection,
  followed: FollowedDefinitions,
  { kind: name, ...key }: StatusReference,
): Promise<void> => {
  const kind = followed.kinds[name];
  const read = await connection.send({ method: 'GET', path: formatObjectPath(kind, key) });
  const known = followed.get(name, key);
  if (!read.ok) {
    if (known !== undefined && isNotFound(read.failure, kind, key)) followed.remove(name, known);
    return;
  }
  const versioned = parseVersionedObject(read.value, kind);
  if (versioned !== undefined) followed.add(name, versioned);
};

/** Returns the place of an event, which is that of its object. `own` is the namespace of events without one. */
const findEventPlace = (
  followed: FollowedDefinitions,
  own: string,
  { kind, namespace, name }: StoredEvent,
): EventObjectPlace => {
  if (kind === 'Configuration') return { namespace: own };
  const found = followed.find(kind, { namespace, name });
  if (found === undefined) return { namespace: followed.isFollowed(namespace) ? namespace : own };
  const { uid, namespace: place } = found.object.metadata;
  return { namespace: place, ...(typeof uid === 'string' ? { uid } : {}) };
};

/**
 * Opens the definitions of a cluster as a store, by lists and watches. Resolves when the definitions are known, or when the API could not be
 * reached twice: then the problem is in the state, and attempts continue.
 *
 * @spec §1.5
 */
export const openKubernetesStore = async (
  options: KubernetesStoreOptions,
): Promise<KubernetesStore> => {
  const { connection, namespaces, allowStdio, secretNamespaces = [] } = options;
  const { apiGroup = DEFAULT_API_GROUP, leadership = SOLE_LEADER } = options;
  const { namespace = namespaces[0] ?? DEFAULT_NAMESPACE, onWarning = () => undefined } = options;
  const rules = { apiGroup, allowStdio, secretNamespaces };
  const followed = new FollowedDefinitions(connection, apiGroup, namespaces);
  const statuses: StatusWriter = new StatusWriter({
    connection,
    kinds: followed.kinds,
    leadership,
    findGeneration: (reference) => state.findGeneration(reference),
    onProblem: onWarning,
    findObject: (reference) => {
      const object = followed.get(reference.kind, reference);
      return object?.object.metadata.deletionTimestamp === undefined ? object : undefined;
    },
    onWritten: (kind, object) => {
      followed.add(kind, object);
    },
    reread: (reference) => refreshObject(connection, followed, reference),
  });
  const state = new DefinitionState(followed, rules, {
    onWarning,
    onComposed: (composed, objects) => {
      for (const { reference, status } of listDefinitionStatuses(
        composed,
        objects,
        statuses.status,
      ))
        void statuses.writeStatus(reference, status);
    },
    onPass: statuses.compare,
  });
  followed.start(state.schedule);
  const check = checkWith(rules);
  const settle = (): Promise<void> => state.settle();
  const secrets = new SecretObjects(connection, apiGroup);
  const writer = new DefinitionWriter({ connection, followed, secrets, check, namespace, settle });
  await followed.started();
  await state.settle();
  return {
    current: state.state.current,
    subscribe: state.state.subscribe,
    read: followed.read().then(settle),
    refresh: async () => {
      await followed.refresh();
      await state.settle();
    },
    servers: createServerWriter(writer, apiGroup),
    workflows: createWorkflowWriter(writer, apiGroup),
    writeStatus: statuses.writeStatus,
    status: statuses.status,
    eventLines: new EventObjects({
      connection,
      namespaces,
      apiGroup,
      namespace,
      leadership,
      onProblem: onWarning,
      findPlace: (event) => findEventPlace(followed, namespace, event),
    }),
    close: async () => {
      await writer.close();
      followed.close();
      statuses.close();
      await state.close();
    },
  };
};
