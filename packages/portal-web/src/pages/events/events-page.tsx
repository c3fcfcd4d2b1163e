import { Checkbox, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { type Column, DataTable, type Filter, useTableSearch } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { PageHead, PageLink, RelativeTime, StateBadge } from '../../display/page-parts.tsx';
import { GatewayHealth } from './gateway-health.tsx';
import { type EventEntry, type EventRow, foldSteps, useEvents } from '../../queries/events.ts';

/** The name of the resource of an event, as a link where the portal has a page of it. */
const ResourceName = ({
  event: { resourceType, resourceName },
}: {
  readonly event: EventEntry;
}): ReactNode => {
  switch (resourceType) {
    case 'MCPServer':
      return (
        <PageLink to="/servers/$name" params={{ name: resourceName }} inherit>
          <bdi>{resourceName}</bdi>
        </PageLink>
      );
    case 'Workflow':
      return (
        <PageLink to="/workflows/$workflow" params={{ workflow: resourceName }} inherit>
          <bdi>{resourceName}</bdi>
        </PageLink>
      );
    default:
      return <bdi>{resourceName}</bdi>;
  }
};

/** Returns the message of an event with how often it happened, and the number of steps that it stands for. */
const formatMessage = ({ message, count, steps }: EventRow): string =>
  [
    message,
    ...(count > 1 ? [`(${count} times)`] : []),
    ...(steps > 0 ? [`· ${steps} events of its steps`] : []),
  ].join(' ');

const TIME: Column<EventRow> = {
  id: 'time',
  label: 'Time',
  w: 120,
  render: ({ at }) => <RelativeTime at={at} />,
  sortBy: ({ at }) => Date.parse(at),
};
const ABOUT: Column<EventRow> = {
  id: 'about',
  label: 'About',
  w: 200,
  render: (event) => (
    <>
      <ResourceName event={event} />
      <Text size="xs" c="dimmed">
        {event.resourceType}
      </Text>
    </>
  ),
  sortBy: ({ resourceName }) => resourceName,
};
const CONTENT: readonly Column<EventRow>[] = [
  {
    id: 'reason',
    label: 'Reason',
    w: 250,
    render: ({ isWarning, reason }) => (
      <StateBadge maw="100%" color={isWarning ? 'orange' : 'gray'} title={reason}>
        {reason}
      </StateBadge>
    ),
    sortBy: ({ reason }) => reason,
  },
  {
    id: 'message',
    label: 'Message',
    render: (event) => (
      <Text size="sm" lineClamp={2} title={event.message} style={{ whiteSpace: 'normal' }}>
        <bdi>{formatMessage(event)}</bdi>
      </Text>
    ),
  },
];
const COLUMNS = [TIME, ABOUT, ...CONTENT];
const COLUMNS_OF_ONE = [TIME, ...CONTENT];

/** The filters that the gateway applies. */
const FILTERS: readonly Filter<EventRow>[] = [
  {
    key: 'resourceType',
    label: 'About',
    choices: [
      { value: 'MCPServer', label: 'Servers' },
      { value: 'Workflow', label: 'Workflows' },
      { value: 'Configuration', label: 'Configuration' },
    ],
  },
  {
    key: 'eventType',
    label: 'Type',
    choices: [
      { value: 'Warning', label: 'Warnings' },
      { value: 'Normal', label: 'Normal' },
    ],
  },
  {
    key: 'since',
    label: 'Since',
    choices: [
      { value: '10m', label: 'The last 10 minutes' },
      { value: '1h', label: 'The last hour' },
      { value: '24h', label: 'The last day' },
    ],
  },
  { key: 'resourceName', label: 'Name', valuesOf: ({ resourceName }) => [resourceName] },
];

const textOf = ({ resourceName, reason, message }: EventRow): string =>
  `${resourceName} ${reason} ${message}`;

/** Events, newest first. The steps of workflows are part of their runs, unless they are asked for. */
export const EventTable = ({
  events,
  isOfOne = false,
  children,
}: {
  readonly events: readonly EventEntry[];
  /** All events are about the same thing. */
  readonly isOfOne?: boolean;
  /** Further parts of the line above the table. */
  readonly children?: ReactNode;
}): ReactNode => {
  const [{ steps: hasSteps }, change] = useTableSearch();
  const rows = useMemo(() => foldSteps(events, hasSteps !== undefined), [events, hasSteps]);
  return (
    <DataTable
      label="Events"
      noun="event"
      records={rows}
      recordKey={({ key }) => key}
      columns={isOfOne ? COLUMNS_OF_ONE : COLUMNS}
      searchLabel="Find events"
      textOf={textOf}
      nothing="No event matches the filters. Remove one to see more."
      {...(isOfOne
        ? { empty: <Text size="sm">There is no event yet.</Text> }
        : { filters: FILTERS })}
    >
      {!isOfOne && (
        <Checkbox
          size="xs"
          label="Steps of workflows"
          checked={hasSteps !== undefined}
          onChange={({ currentTarget }) => change({ steps: currentTarget.checked ? 1 : '' })}
        />
      )}
      {children}
    </DataTable>
  );
};

const route = getRouteApi('/events');

const LIMIT = 500;

/** The events of the gateway, newest first, as they happen. */
const EventFeed = (): ReactNode => {
  const { resourceType, resourceName, eventType, since } = route.useSearch();
  const [isLive, setLive] = useState(true);
  const filter = { resourceType, resourceName, eventType, since };
  const query = useEvents(filter, { limit: LIMIT, isLive });
  return (
    <Loaded query={query} label="Loading the events">
      {(events) => (
        <>
          <EventTable events={events}>
            <Switch
              size="xs"
              label="Live"
              aria-label="Show new events as they happen"
              checked={isLive}
              onChange={({ currentTarget }) => setLive(currentTarget.checked)}
            />
          </EventTable>
          {events.length === LIMIT && (
            <Text size="sm" c="dimmed">{`The newest ${LIMIT} events are shown.`}</Text>
          )}
        </>
      )}
    </Loaded>
  );
};

/** The events and the health of the gateway. */
export const EventsPage = (): ReactNode => (
  <Stack>
    <PageHead title="Events" text="What happened to servers, workflows and the configuration." />
    <GatewayHealth />
    <EventFeed />
  </Stack>
);
