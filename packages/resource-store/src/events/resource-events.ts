import type { GatewayEvent } from '@gateway/events';
import { formatShortProblem, type ResourceProblem, type StoreState } from '../port/resources.ts';

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

const serverStates = ({ servers, problems }: StoreState): DefinitionStates => {
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

const workflowStates = ({ workflows }: StoreState): DefinitionStates =>
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

/** Returns the events of the first state: only invalid definitions are reported, because valid ones have not changed. */
const atStart = (events: readonly GatewayEvent[]): readonly GatewayEvent[] =>
  events.filter(({ reason }) => reason.endsWith('ValidationFailed'));

const NO_STATES: DefinitionStates = new Map();

/**
 * Returns the events between two states: definitions that were created, updated or deleted, that became invalid or became valid again.
 * Without `before`, at the start, only invalid definitions are reported. @spec §6
 */
export const listResourceEvents = (
  before: StoreState | undefined,
  after: StoreState,
): readonly GatewayEvent[] => {
  if (before === undefined) {
    const servers = findEvents('MCPServer', NO_STATES, serverStates(after));
    return atStart([...servers, ...findEvents('Workflow', NO_STATES, workflowStates(after))]);
  }
  const isSame = before.servers === after.servers && before.problems === after.problems;
  const servers = isSame ? [] : findEvents('MCPServer', serverStates(before), serverStates(after));
  if (before.workflows === after.workflows) return servers;
  const workflows = findEvents('Workflow', workflowStates(before), workflowStates(after));
  return [...servers, ...workflows];
};
