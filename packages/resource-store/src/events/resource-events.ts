import type { GatewayEvent } from '@gateway/events';
import { shortProblemText, type ResourceProblem, type StoreState } from '../port/resources.ts';

/** The state of one definition. */
type DefinitionState =
  | {
      readonly kind: 'valid';
      /** Keeps its identity while the content of the resource is equal. */
      readonly identity: unknown;
      readonly namespace: string;
      readonly steps: number;
    }
  | { readonly kind: 'broken'; readonly error: string };

type DefinitionStates = ReadonlyMap<string, DefinitionState>;
type Kind = 'MCPServer' | 'Workflow';

const broken = ([first, ...others]: readonly ResourceProblem[]): DefinitionState => {
  const text = first === undefined ? '' : shortProblemText(first);
  const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
  return { kind: 'broken', error: `${text}${more}` };
};

const serverStates = ({ servers, problems }: StoreState): DefinitionStates => {
  const byName = new Map<string, ResourceProblem[]>();
  for (const problem of problems) {
    if (problem.kind !== 'MCPServer' || problem.name === undefined) continue;
    const known = byName.get(problem.name);
    if (known === undefined) byName.set(problem.name, [problem]);
    else known.push(problem);
  }
  const states = new Map<string, DefinitionState>();
  for (const [name, found] of byName) states.set(name, broken(found));
  for (const server of servers) {
    const { name, namespace } = server.metadata;
    states.set(name, { kind: 'valid', identity: server, namespace, steps: 0 });
  }
  return states;
};

const workflowStates = ({ workflows }: StoreState): DefinitionStates =>
  new Map(
    workflows.map((resource): readonly [string, DefinitionState] => {
      if (!resource.valid) return [resource.name, broken(resource.problems)];
      const { workflow, status } = resource;
      const { namespace } = workflow.metadata;
      const steps = status.stepCount;
      return [resource.name, { kind: 'valid', identity: workflow, namespace, steps }];
    }),
  );

interface Transition {
  readonly name: string;
  readonly before: DefinitionState | undefined;
  readonly after: DefinitionState | undefined;
}

/** Returns the namespace of a resource; for an invalid definition the last known one. */
const namespaceOf = ({ before, after }: Transition): { readonly namespace?: string } => {
  const known = [after, before].find((state) => state?.kind === 'valid');
  return known?.kind === 'valid' ? { namespace: known.namespace } : {};
};

/** Returns the event of a valid definition: created, updated, valid again, or none when it is unchanged. */
const validEvent = (
  kind: Kind,
  transition: Transition,
  { identity, steps }: Extract<DefinitionState, { kind: 'valid' }>,
): GatewayEvent | undefined => {
  const { name, before } = transition;
  const resource = { name, ...namespaceOf(transition) };
  if (before?.kind === 'broken') return { reason: `${kind}ValidationSucceeded`, ...resource };
  if (before?.identity === identity) return undefined;
  const verb = before === undefined ? 'Created' : 'Updated';
  return kind === 'MCPServer'
    ? { reason: `MCPServer${verb}`, ...resource }
    : { reason: `Workflow${verb}`, ...resource, steps };
};

const eventOf = (kind: Kind, transition: Transition): GatewayEvent | undefined => {
  const { name, before, after } = transition;
  const resource = { name, ...namespaceOf(transition) };
  if (after === undefined) return { reason: `${kind}Deleted`, ...resource };
  if (after.kind === 'valid') return validEvent(kind, transition, after);
  const { error } = after;
  const isKnown = before?.kind === 'broken' && before.error === error;
  return isKnown ? undefined : { reason: `${kind}ValidationFailed`, ...resource, error };
};

const eventsOf = (
  kind: Kind,
  before: DefinitionStates,
  after: DefinitionStates,
): readonly GatewayEvent[] => {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const event = eventOf(kind, { name, before: before.get(name), after: after.get(name) });
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
export const resourceEvents = (
  before: StoreState | undefined,
  after: StoreState,
): readonly GatewayEvent[] => {
  if (before === undefined) {
    const servers = eventsOf('MCPServer', NO_STATES, serverStates(after));
    return atStart([...servers, ...eventsOf('Workflow', NO_STATES, workflowStates(after))]);
  }
  const isSame = before.servers === after.servers && before.problems === after.problems;
  const servers = isSame ? [] : eventsOf('MCPServer', serverStates(before), serverStates(after));
  if (before.workflows === after.workflows) return servers;
  const workflows = eventsOf('Workflow', workflowStates(before), workflowStates(after));
  return [...servers, ...workflows];
};
