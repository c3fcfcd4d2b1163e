import { Alert, Stack, Switch, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { useEvents } from '../../queries/use-events.ts';
import { EventFilters } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import { GatewayHealth } from './gateway-health.tsx';

const route = getRouteApi('/events');
const LIMIT = 100;

const Empty = ({ hasFilters }: { readonly hasFilters: boolean }): ReactNode => (
  <Text>
    {hasFilters
      ? 'No event matches the filters. Remove one to see more.'
      : 'There is no event yet. Events of servers, workflows and the configuration appear here.'}
  </Text>
);

/** The events of the gateway, newest first, as they happen. */
const Feed = (): ReactNode => {
  const search = route.useSearch();
  const [isLive, setLive] = useState(true);
  const { data, error } = useEvents(search, { limit: LIMIT, isLive });
  return (
    <>
      <Switch
        label="Show new events as they happen"
        checked={isLive}
        onChange={({ currentTarget }) => setLive(currentTarget.checked)}
      />
      {error !== null && (
        <Alert color="red" role="alert">
          <bdi>{error.message}</bdi>
        </Alert>
      )}
      {data === undefined && error === null && <LoadingSign label="Loading the events" />}
      {data?.length === 0 && <Empty hasFilters={Object.keys(search).length > 0} />}
      {data !== undefined && data.length > 0 && <EventTable events={data} />}
      {data?.length === LIMIT && (
        <Text size="sm" c="dimmed">{`The newest ${LIMIT} events are shown.`}</Text>
      )}
    </>
  );
};

/** The events and the health of the gateway. */
export const EventsPage = (): ReactNode => (
  <Stack>
    <PageTitle title="Events" />
    <GatewayHealth />
    <EventFilters />
    <Feed />
  </Stack>
);
