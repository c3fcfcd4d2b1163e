import {
  DEFAULT_NAMESPACE,
  type McpServer,
  type ResourceKind,
  type Workflow,
  type WorkflowStatus,
} from '@gateway/crd-schemas';
import type { GatewayEvent } from '@gateway/events';
import type { DocumentPath, Position } from '@gateway/files';

/** Identifies a resource of one kind. */
export interface ResourceKey {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the key of a resource in a namespace; the default namespace when absent. */
export const createResourceKey = (name: string, namespace = DEFAULT_NAMESPACE): ResourceKey => ({
  namespace,
  name,
});

/** Compares texts by code units, independent of the locale. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The subject of a problem. */
export type ResourceProblemKind = 'Configuration' | ResourceKind;

/** The reason why a resource, or a part of the configuration, is not used. */
export interface ResourceProblem {
  /** The origin of the resource, for messages: the path of a file, or `namespace/name` of an object. */
  readonly source: string;
  /** Starts at 1; absent for a problem of the whole source. */
  readonly line?: number;
  readonly column?: number;
  readonly kind: ResourceProblemKind;
  /** The name of the resource. */
  readonly name?: string;
  readonly message: string;
}

// A source may have any character but "/" and NUL; a report has one line per problem.
const escapeControls = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));

/** Returns one line: `mcpservers/a.yaml:4:3: spec.command: command is required when type is stdio`. */
export const formatProblem = ({ source, line, column, message }: ResourceProblem): string => {
  const position = line === undefined ? '' : `:${String(line)}:${String(column ?? 1)}`;
  return escapeControls(`${source}${position}: ${message}`);
};

/** Formats a problem with only the last two segments of its source, for readers outside the host. */
export const formatShortProblem = (problem: ResourceProblem): string => {
  const parts = problem.source.split(/[/\\]/);
  return formatProblem({ ...problem, source: parts.slice(-2).join('/') });
};

interface WorkflowFacts {
  readonly name: string;
  /** The origin of the resource, for messages. */
  readonly source: string;
  /** The resource as YAML; empty when it could not be read, or is no workflow. */
  readonly text: string;
  /** Milliseconds since 1970; 0 when unknown. `metadata.creationTimestamp`, else the time when the resource was first stored. */
  readonly createdAt: number;
  /** The time of this version, in milliseconds since 1970; 0 when unknown. */
  readonly modifiedAt: number;
  readonly status: WorkflowStatus;
}

export interface ValidWorkflow extends WorkflowFacts {
  readonly valid: true;
  /** Keeps its identity while the content is equal, whatever its comments and layout. */
  readonly workflow: Workflow;
  /** Deprecated and ineffective parts, one line each. */
  readonly warnings: readonly string[];
}

/** A workflow that cannot be used. */
export interface InvalidWorkflow extends WorkflowFacts {
  readonly valid: false;
  /** Never empty. */
  readonly problems: readonly ResourceProblem[];
}

/** A workflow as it is stored, valid or not. Immutable. @spec §1.5, §2.7 */
export type WorkflowResource = ValidWorkflow | InvalidWorkflow;

/** `config.yaml` as data, which its owner validates. */
export interface ConfigDocument {
  /** The origin of the document, for messages. */
  readonly source: string;
  /** Plain data; an empty document is an empty mapping. */
  readonly value: unknown;
  /** Returns the position of a path in the document, or that of its deepest existing part. */
  readonly locate: (path: DocumentPath) => Position;
}

/** The resources at one moment. Immutable: unchanged parts keep their identity from state to state. */
export interface ResourceState {
  /** Sorted by name. */
  readonly servers: readonly McpServer[];
  /** Sorted by name, including invalid ones. */
  readonly workflows: readonly WorkflowResource[];
  /** The problems of resources that are skipped, sorted by source, including those of workflows. */
  readonly problems: readonly ResourceProblem[];
}

/** The configuration at one moment. Immutable. */
export interface ConfigState {
  /** The last readable version; undefined when there is none. */
  readonly config: ConfigDocument | undefined;
  /** The problems of the current document and of its origin. */
  readonly configProblems: readonly ResourceProblem[];
}

/** The whole desired state at one moment. */
export interface StoreState extends ResourceState, ConfigState {}

/** The state of one definition: valid without `error`. */
interface DefinitionState {
  readonly error?: string;
  readonly namespace?: string;
  /** Keeps its identity while the content of the resource is equal. */
  readonly identity?: unknown;
  readonly steps?: number;
}

type DefinitionStates = ReadonlyMap<string, DefinitionState>;
type Kind = 'MCPServer' | 'Workflow';

const formatError = ([first, ...others]: readonly ResourceProblem[]): string => {
  const text = first === undefined ? '' : formatShortProblem(first);
  return others.length === 0 ? text : `${text} (and ${String(others.length)} more)`;
};

const computeServerStates = ({ servers, problems }: StoreState): DefinitionStates => {
  const byName = new Map<string, ResourceProblem[]>();
  for (const problem of problems) {
    if (problem.kind !== 'MCPServer' || problem.name === undefined) continue;
    byName.set(problem.name, [...(byName.get(problem.name) ?? []), problem]);
  }
  const states = new Map<string, DefinitionState>();
  for (const [name, found] of byName) states.set(name, { error: formatError(found) });
  for (const server of servers) {
    const { name, namespace } = server.metadata;
    states.set(name, { namespace, identity: server });
  }
  return states;
};

const computeWorkflowStates = ({ workflows }: StoreState): DefinitionStates =>
  new Map(
    workflows.map((resource): readonly [string, DefinitionState] => {
      if (!resource.valid) return [resource.name, { error: formatError(resource.problems) }];
      const { workflow, status } = resource;
      const { namespace } = workflow.metadata;
      return [resource.name, { namespace, identity: workflow, steps: status.stepCount }];
    }),
  );

interface Transition {
  readonly name: string;
  readonly before: DefinitionState | undefined;
  readonly after: DefinitionState | undefined;
}

/** Returns the event of a valid definition: created, updated, valid again, or none when it is unchanged. */
const findValidEvent = (
  kind: Kind,
  resource: { readonly name: string; readonly namespace?: string },
  {
    before,
    after,
  }: { readonly before: DefinitionState | undefined; readonly after: DefinitionState },
): GatewayEvent | undefined => {
  if (before?.error !== undefined) return { reason: `${kind}ValidationSucceeded`, ...resource };
  if (before?.identity === after.identity) return undefined;
  const verb = before === undefined ? 'Created' : 'Updated';
  return kind === 'MCPServer'
    ? { reason: `MCPServer${verb}`, ...resource }
    : { reason: `Workflow${verb}`, ...resource, steps: after.steps ?? 0 };
};

/** Returns the event of a definition; none when it is unchanged. An invalid or deleted one has its last known namespace. */
const findEvent = (kind: Kind, { name, before, after }: Transition): GatewayEvent | undefined => {
  const namespace = after?.namespace ?? before?.namespace;
  const resource = { name, ...(namespace !== undefined && { namespace }) };
  if (after === undefined) return { reason: `${kind}Deleted`, ...resource };
  const { error } = after;
  if (error === undefined) return findValidEvent(kind, resource, { before, after });
  const isKnown = before?.error === error;
  return isKnown ? undefined : { reason: `${kind}ValidationFailed`, ...resource, error };
};

const findEvents = (
  kind: Kind,
  before: DefinitionStates,
  after: DefinitionStates,
): readonly GatewayEvent[] => {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const event = findEvent(kind, { name, before: before.get(name), after: after.get(name) });
    return event ?? [];
  });
};

/** Returns the entries of `spec.tools` that declare tools read-only, by name or pattern. */
const listReadOnlyTools = ({ spec }: McpServer): readonly string[] =>
  (spec.tools ?? []).flatMap(({ name, pattern = '', annotations }) =>
    annotations?.readOnlyHint === true ? [name ?? pattern] : [],
  );

/** Returns an event for each server whose definition newly declares tools read-only. */
const findReadOnlyEvents = (
  before: readonly McpServer[],
  after: readonly McpServer[],
): readonly GatewayEvent[] => {
  const known = new Map(before.map((server) => [server.metadata.name, server]));
  return after.flatMap((server) => {
    const { name, namespace } = server.metadata;
    const earlier = known.get(name);
    if (earlier === server) return [];
    const declared = new Set(earlier && listReadOnlyTools(earlier));
    const tools = listReadOnlyTools(server).filter((tool) => !declared.has(tool));
    return tools.length === 0 ? [] : [{ reason: 'MCPServerToolsReadOnly', name, namespace, tools }];
  });
};

/** Returns the events of the first state: only invalid definitions are reported, because valid ones have not changed. */
const filterStartEvents = (events: readonly GatewayEvent[]): readonly GatewayEvent[] =>
  events.filter(({ reason }) => reason.endsWith('ValidationFailed'));

const NO_STATES: DefinitionStates = new Map();

/**
 * Returns the events between two states: definitions that were created, updated or deleted, that became invalid or became valid again, or
 * that newly declare tools read-only.
 * Without `before`, at the start, only invalid definitions are reported. @spec §6
 */
export const listResourceEvents = (
  before: StoreState | undefined,
  after: StoreState,
): readonly GatewayEvent[] => {
  if (before === undefined) {
    const servers = findEvents('MCPServer', NO_STATES, computeServerStates(after));
    return filterStartEvents([
      ...servers,
      ...findEvents('Workflow', NO_STATES, computeWorkflowStates(after)),
    ]);
  }
  const isSame = before.servers === after.servers && before.problems === after.problems;
  const servers = isSame
    ? []
    : [
        ...findEvents('MCPServer', computeServerStates(before), computeServerStates(after)),
        ...findReadOnlyEvents(before.servers, after.servers),
      ];
  if (before.workflows === after.workflows) return servers;
  const workflows = findEvents(
    'Workflow',
    computeWorkflowStates(before),
    computeWorkflowStates(after),
  );
  return [...servers, ...workflows];
};
