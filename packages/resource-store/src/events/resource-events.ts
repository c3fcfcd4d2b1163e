import type { GatewayEvent } from '@gateway/events';
import { shortProblemText, type ResourceProblem } from '../port/resource-problem.ts';
import type { StoreState } from '../port/state.ts';

/** What there is of one resource. */
type Standing =
  | {
      readonly kind: 'valid';
      /** The same object while the resource says the same. */
      readonly identity: unknown;
      readonly namespace: string;
      readonly steps: number;
    }
  | { readonly kind: 'broken'; readonly error: string };

type Standings = ReadonlyMap<string, Standing>;
type Kind = 'MCPServer' | 'Workflow';

const broken = ([first, ...others]: readonly ResourceProblem[]): Standing => {
  const text = first === undefined ? '' : shortProblemText(first);
  const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
  return { kind: 'broken', error: `${text}${more}` };
};

const serverStandings = ({ servers, problems }: StoreState): Standings => {
  const byName = new Map<string, ResourceProblem[]>();
  for (const problem of problems) {
    if (problem.kind !== 'MCPServer' || problem.name === undefined) continue;
    const known = byName.get(problem.name);
    if (known === undefined) byName.set(problem.name, [problem]);
    else known.push(problem);
  }
  const standings = new Map<string, Standing>();
  for (const [name, found] of byName) standings.set(name, broken(found));
  for (const server of servers) {
    const { name, namespace } = server.metadata;
    standings.set(name, { kind: 'valid', identity: server, namespace, steps: 0 });
  }
  return standings;
};

const workflowStandings = ({ workflows }: StoreState): Standings =>
  new Map(
    workflows.map((resource): readonly [string, Standing] => {
      if (!resource.valid) return [resource.name, broken(resource.problems)];
      const { workflow, status } = resource;
      const { namespace } = workflow.metadata;
      const steps = status.stepCount;
      return [resource.name, { kind: 'valid', identity: workflow, namespace, steps }];
    }),
  );

interface Turn {
  readonly name: string;
  readonly before: Standing | undefined;
  readonly after: Standing | undefined;
}

/** A broken resource stands in the namespace that it stood in, as far as that is known. */
const namespaceOf = ({ before, after }: Turn): { readonly namespace?: string } => {
  const known = [after, before].find((standing) => standing?.kind === 'valid');
  return known?.kind === 'valid' ? { namespace: known.namespace } : {};
};

/** A definition that can be used: it is new, other than before, the same, or was broken. */
const validEvent = (
  kind: Kind,
  turn: Turn,
  { identity, steps }: Extract<Standing, { kind: 'valid' }>,
): GatewayEvent | undefined => {
  const { name, before } = turn;
  const resource = { name, ...namespaceOf(turn) };
  if (before?.kind === 'broken') return { reason: `${kind}ValidationSucceeded`, ...resource };
  if (before?.identity === identity) return undefined;
  const verb = before === undefined ? 'Created' : 'Updated';
  return kind === 'MCPServer'
    ? { reason: `MCPServer${verb}`, ...resource }
    : { reason: `Workflow${verb}`, ...resource, steps };
};

const eventOf = (kind: Kind, turn: Turn): GatewayEvent | undefined => {
  const { name, before, after } = turn;
  const resource = { name, ...namespaceOf(turn) };
  if (after === undefined) return { reason: `${kind}Deleted`, ...resource };
  if (after.kind === 'valid') return validEvent(kind, turn, after);
  const { error } = after;
  const isKnown = before?.kind === 'broken' && before.error === error;
  return isKnown ? undefined : { reason: `${kind}ValidationFailed`, ...resource, error };
};

const eventsOf = (kind: Kind, before: Standings, after: Standings): readonly GatewayEvent[] => {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((name) => {
    const event = eventOf(kind, { name, before: before.get(name), after: after.get(name) });
    return event ?? [];
  });
};

/** What was broken before anybody looked is told; what was fine has not happened now. */
const atStart = (events: readonly GatewayEvent[]): readonly GatewayEvent[] =>
  events.filter(({ reason }) => reason.endsWith('ValidationFailed'));

const NOTHING: Standings = new Map();

/**
 * What happened to the resources between two states: definitions that appeared, changed and went, and those that can no longer
 * be used or can be used again. Without `before`, at the start, only what cannot be used. @spec §6
 */
export const resourceEvents = (
  before: StoreState | undefined,
  after: StoreState,
): readonly GatewayEvent[] => {
  if (before === undefined) {
    const servers = eventsOf('MCPServer', NOTHING, serverStandings(after));
    return atStart([...servers, ...eventsOf('Workflow', NOTHING, workflowStandings(after))]);
  }
  const isSame = before.servers === after.servers && before.problems === after.problems;
  const servers = isSame
    ? []
    : eventsOf('MCPServer', serverStandings(before), serverStandings(after));
  if (before.workflows === after.workflows) return servers;
  const workflows = eventsOf('Workflow', workflowStandings(before), workflowStandings(after));
  return [...servers, ...workflows];
};
