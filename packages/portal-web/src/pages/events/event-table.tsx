import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LocalTime, PageLink } from '../../display/page-parts.tsx';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';
import type { EventEntry } from '../../queries/events.ts';

interface EventProps {
  readonly event: EventEntry;
}

/** The name of the resource of an event, as a link where the portal has a page of it. */
const ResourceName = ({ event: { resourceType, resourceName } }: EventProps): ReactNode => {
  switch (resourceType) {
    case 'MCPServer':
      return (
        <PageLink to="/servers/$name" params={{ name: resourceName }} inherit>
          {resourceName}
        </PageLink>
      );
    case 'Workflow':
      return (
        <PageLink to="/workflows/$workflow" params={{ workflow: resourceName }} inherit>
          {resourceName}
        </PageLink>
      );
    default:
      return resourceName;
  }
};

const Resource = ({ event }: EventProps): ReactNode => (
  <>
    <Text size="sm" style={{ overflowWrap: 'anywhere' }} component="bdi">
      <ResourceName event={event} />
    </Text>
    <Text size="xs" c="dimmed">
      {event.resourceType}
    </Text>
  </>
);

const Reason = ({ event: { isWarning, reason } }: EventProps): ReactNode => (
  <Badge
    variant="light"
    color={isWarning ? 'orange' : 'gray'}
    tt="none"
    h="auto"
    styles={{ label: { whiteSpace: 'inherit', overflow: 'visible', lineHeight: 1.6 } }}
  >
    {reason}
  </Badge>
);

const Message = ({ event: { message, count } }: EventProps): ReactNode => (
  <>
    <bdi>{message}</bdi>
    {count > 1 && ` (${count} times)`}
  </>
);

/** Returns a key for each event: identical events differ by their order. */
const withKeys = (events: readonly EventEntry[]): readonly EventRecord[] => {
  const seen = new Map<string, number>();
  return events.map((event) => {
    const text = [event.at, event.resourceType, event.resourceName, event.reason].join(' ');
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return { key: `${text} ${times}`, event };
  });
};

interface EventRecord {
  readonly key: string;
  readonly event: EventEntry;
}

const TIME: RecordColumn<EventRecord> = {
  label: 'Time',
  render: ({ event }) => <LocalTime at={event.at} />,
  isShort: true,
};
const ABOUT: RecordColumn<EventRecord> = {
  label: 'About',
  render: ({ event }) => <Resource event={event} />,
};
const CONTENT: readonly RecordColumn<EventRecord>[] = [
  { label: 'Reason', render: ({ event }) => <Reason event={event} />, isShort: true },
  { label: 'Message', render: ({ event }) => <Message event={event} /> },
];

/** Events, newest first. */
export const EventTable = ({
  events,
  hasResource = true,
}: {
  readonly events: readonly EventEntry[];
  /** True when the resource of each event is shown. */
  readonly hasResource?: boolean;
}): ReactNode => (
  <RecordTable
    label="Events"
    records={withKeys(events)}
    recordKey={({ key }) => key}
    columns={[TIME, ...(hasResource ? [ABOUT] : []), ...CONTENT]}
  />
);
