import type { GeneratedFile } from '@gateway/repo-checks';
import { eventSamples } from './event-samples.ts';
import { EVENT_REASONS, eventText, RECORDER_LIMITS, type GatewayEvent } from './src/index.ts';

const row = (event: GatewayEvent): string => {
  const { type, when } = EVENT_REASONS[event.reason];
  return `| \`${event.reason}\` | ${type} | ${when} | ${eventText(event)} |`;
};

const section = (kind: string): string =>
  [
    `## ${kind}`,
    '',
    '| reason | type | when | message |',
    '| --- | --- | --- | --- |',
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
        'What the gateway reports of itself. `core_events` shows events, newest first, and `gateway events` shows them in a terminal.',
        'An event is reported when something turns, and not while it stays as it is. The messages below are examples.',
        '',
        `Equal events of one resource within ${minutes} minutes are one with a \`count\`. The newest ${count} of each kind are remembered, over`,
        'restarts too where the gateway can write to its state directory. A `Warning` wants attention.',
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
