import type { AgentStatus } from '@gateway/agent-manager-client';
import { at, defined, numberOf, textOf } from '../values/lenient.ts';
import type { KubernetesObject, Workload } from '../store/objects.ts';

/** The maximum number of events in a status. */
const MAX_EVENTS = 10;

type Event = AgentStatus['events'][number];

/** The paths of the time of an event, latest first: there are two kinds of events, each with series. */
const TIMES = [
  ['series', 'lastObservedTime'],
  ['lastTimestamp'],
  ['eventTime'],
  ['firstTimestamp'],
  ['metadata', 'creationTimestamp'],
] as const;

const timeOf = (event: KubernetesObject): string | undefined => {
  for (const path of TIMES) {
    const time = textOf(at(event, ...path));
    if (time !== undefined) return time;
  }
  return undefined;
};

const aboutOf = (event: KubernetesObject): string => {
  const about = at(event, 'involvedObject') ?? at(event, 'regarding');
  return `${textOf(at(about, 'kind')) ?? ''}/${textOf(at(about, 'name')) ?? ''}`;
};

const eventReport = (event: KubernetesObject): Event =>
  defined({
    type: textOf(at(event, 'type')) ?? '',
    reason: textOf(at(event, 'reason')) ?? '',
    message: textOf(at(event, 'message')) ?? textOf(at(event, 'note')) ?? '',
    object: aboutOf(event),
    count: numberOf(at(event, 'series', 'count')) ?? numberOf(at(event, 'count')) ?? 1,
    lastTimestamp: timeOf(event),
  });

const NEVER = Number.NEGATIVE_INFINITY;

const instantOf = ({ lastTimestamp }: Event): number => {
  const instant = lastTimestamp === undefined ? NEVER : Date.parse(lastTimestamp);
  return Number.isNaN(instant) ? NEVER : instant;
};

const newestFirst = (a: Event, b: Event): number => {
  const [left, right] = [instantOf(a), instantOf(b)];
  return left === right ? 0 : right - left;
};

/** Returns the latest events about an agent, newest first; events without a time are last. */
export const eventReports = (events: Workload['events']): AgentStatus['events'] =>
  events.map(eventReport).sort(newestFirst).slice(0, MAX_EVENTS);
