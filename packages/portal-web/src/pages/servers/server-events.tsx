import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { useEvents } from '../../queries/use-events.ts';
import { EventTable } from '../events/event-table.tsx';

const LIMIT = 10;

const filterOf = (name: string) => ({ resourceType: 'MCPServer', resourceName: name });

/** Reads the latest events of a server. */
export const useServerEvents = (name: string): ReturnType<typeof useEvents> =>
  useEvents(filterOf(name), { limit: LIMIT });

/** The latest events of a server. */
export const ServerEvents = ({ name }: { readonly name: string }): ReactNode => {
  const { data, error } = useServerEvents(name);
  if (error !== null)
    return (
      <Alert color="red" role="alert">
        <bdi>{error.message}</bdi>
      </Alert>
    );
  if (data === undefined) return <LoadingSign label="Loading the events" />;
  return (
    <>
      {data.length === 0 ? (
        <Text size="sm">There is no event of this server.</Text>
      ) : (
        <EventTable events={data} hasResource={false} />
      )}
      <PageLink to="/events" search={filterOf(name)} size="sm">
        All events of this server
      </PageLink>
    </>
  );
};
