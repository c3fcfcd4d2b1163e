import { SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FilterSelect, SearchField } from '../../addresses/address-fields.tsx';
import { type EventSearch, readEventSearch } from '../../addresses/searches.ts';
import { Loaded } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-parts.tsx';
import { EventTable } from './event-table.tsx';
import { GatewayHealth } from './gateway-health.tsx';
import { useEvents } from '../../queries/events.ts';

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
