import { SimpleGrid, Stack, Switch, Text, Badge } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FilterSelect, SearchField } from '../../addresses/address-fields.tsx';
import { type EventSearch, readEventSearch } from '../../addresses/searches.ts';
import { Loaded } from '../../display/loading.tsx';
import { PageTitle, LocalTime, PageLink } from '../../display/page-parts.tsx';
import { GatewayHealth } from './gateway-health.tsx';
import { useEvents, type EventEntry } from '../../queries/events.ts';
import { type RecordColumn, RecordTable } from '../../display/record-table.tsx';

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

const route = getRouteApi('/events');

const RESOURCES = [
  { value: '', label: 'Everything' },
  { value: 'MCPServer', label: 'Servers' },
  { value: 'Workflow', label: 'Workflows' },
  { value: 'Configuration', label: 'Configuration' },
];
const TYPES = [
  { value: '', label: 'All' },
  { value: 'Warning', label: 'Warnings' },
  { value: 'Normal', label: 'Normal' },
];
const TIMES = [
  { value: '', label: 'Any time' },
  { value: '10m', label: 'The last 10 minutes' },
  { value: '1h', label: 'The last hour' },
  { value: '24h', label: 'The last day' },
];

/** The event filters, stored in the URL of the page. */
const EventFilters = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (key: keyof EventSearch, value: string): void => {
    void navigate({
      search: (before) => readEventSearch({ ...before, [key]: value }),
      replace: true,
    });
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <FilterSelect
        label="About"
        choices={RESOURCES}
        value={search.resourceType}
        onChange={(value) => change('resourceType', value)}
      />
      <SearchField
        type="text"
        label="Name"
        query={search.resourceName}
        onSearch={(name) => change('resourceName', name)}
      />
      <FilterSelect
        label="Type"
        choices={TYPES}
        value={search.eventType}
        onChange={(value) => change('eventType', value)}
      />
      <FilterSelect
        label="Since"
        choices={TIMES}
        value={search.since}
        onChange={(value) => change('since', value)}
      />
    </SimpleGrid>
  );
};

const LIMIT = 100;

const NoEvents = ({ hasFilters }: { readonly hasFilters: boolean }): ReactNode => (
  <Text>
    {hasFilters
      ? 'No event matches the filters. Remove one to see more.'
      : 'There is no event yet. Events of servers, workflows and the configuration appear here.'}
  </Text>
);

/** The events of the gateway, newest first, as they happen. */
const EventFeed = (): ReactNode => {
  const search = route.useSearch();
  const [isLive, setLive] = useState(true);
  const query = useEvents(search, { limit: LIMIT, isLive });
  return (
    <>
      <Switch
        label="Show new events as they happen"
        checked={isLive}
        onChange={({ currentTarget }) => setLive(currentTarget.checked)}
      />
      <Loaded query={query} label="Loading the events">
        {(events) => (
          <>
            {events.length === 0 ? (
              <NoEvents hasFilters={Object.keys(search).length > 0} />
            ) : (
              <EventTable events={events} />
            )}
            {events.length === LIMIT && (
              <Text size="sm" c="dimmed">{`The newest ${LIMIT} events are shown.`}</Text>
            )}
          </>
        )}
      </Loaded>
    </>
  );
};

/** The events and the health of the gateway. */
export const EventsPage = (): ReactNode => (
  <Stack>
    <PageTitle title="Events" />
    <GatewayHealth />
    <EventFilters />
    <EventFeed />
  </Stack>
);
