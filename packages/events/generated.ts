import type { GeneratedFile } from '@gateway/repo-checks';
import { eventSamples } from './event-samples.ts';
import {
  EVENT_REASONS,
  formatEventMessage,
  RECORDER_LIMITS,
  type GatewayEvent,
} from './src/index.ts';

const row = (event: GatewayEvent): string => {
  const { kind, type, when } = EVENT_REASONS[event.reason];
  const reason = `\`${event.reason}\`${type === 'Warning' ? ' **Warning**' : ''}`;
  return `- ${reason}: ${when} \`${formatEventMessage(event).replace(`${kind} ${event.name}`, '…')}\``;
};

const section = (kind: string): string =>
  [
    `## ${kind}`,
    '',
    ...eventSamples({ error: 'connection refused' })
      .filter(({ reason }) => EVENT_REASONS[reason].kind === kind)
      .map(row),
  ].join('\n');

const minutes = String(RECORDER_LIMITS.aggregationMs / 60_000);
const count = RECORDER_LIMITS.maxEvents.toLocaleString('en-US');

/** `docs/reference/events.md`: the table of reasons, with messages as the gateway makes them. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/events.md',
    text: () =>
      [
        '# Events',
        '',
        'Events of the gateway. `core_events` returns events, newest first, and `gateway events` prints them.',
        'An event records a state change. The messages below are examples; `…` is the kind and the name of the resource.',
        '',
        `Identical events of one resource within ${minutes} minutes are aggregated with a \`count\`. The newest ${count} of each kind are recorded,`,
        'and survive restarts when the state directory is writable. A `Warning` requires attention.',
        '',
        section('MCPServer'),
        '',
        section('Workflow'),
        '',
        section('Configuration'),
        '',
      ].join('\n'),
  },
];
