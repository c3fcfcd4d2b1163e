import { Badge, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { LocalTime } from '../../display/local-time.tsx';
import type { GatewayEvent } from '../../queries/use-events.ts';

const Resource = ({
  event: { resourceType, resourceName },
}: {
  readonly event: GatewayEvent;
}): ReactNode => (
  <>
    <Text size="sm" style={{ overflowWrap: 'anywhere' }} component="bdi">
      {resourceType === 'MCPServer' ? (
        <PageLink to="/servers/$name" params={{ name: resourceName }} inherit>
          {resourceName}
        </PageLink>
      ) : (
        resourceName
      )}
    </Text>
    <Text size="xs" c="dimmed">
      {resourceType}
    </Text>
  </>
);

const EventRow = ({
  event,
  hasResource,
}: {
  readonly event: GatewayEvent;
  readonly hasResource: boolean;
}): ReactNode => (
  <Table.Tr>
    <Table.Td style={{ whiteSpace: 'nowrap' }}>
      <LocalTime at={event.at} />
    </Table.Td>
    {hasResource && (
      <Table.Td>
        <Resource event={event} />
      </Table.Td>
    )}
    <Table.Td>
      <Badge
        variant="light"
        color={event.isWarning ? 'orange' : 'gray'}
        tt="none"
        miw="max-content"
      >
        {event.reason}
      </Badge>
    </Table.Td>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <bdi>{event.message}</bdi>
      {event.count > 1 && ` (${event.count} times)`}
    </Table.Td>
  </Table.Tr>
);

/** Returns a key for each event: identical events differ by their order. */
const keyed = (events: readonly GatewayEvent[]): readonly (readonly [string, GatewayEvent])[] => {
  const seen = new Map<string, number>();
  return events.map((event) => {
    const text = [event.at, event.resourceType, event.resourceName, event.reason].join(' ');
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return [`${text} ${times}`, event];
  });
};

/** Events, newest first. */
export const EventTable = ({
  events,
  hasResource = true,
}: {
  readonly events: readonly GatewayEvent[];
  /** True when the resource of each event is shown. */
  readonly hasResource?: boolean;
}): ReactNode => (
  <Table.ScrollContainer minWidth={560}>
    <Table aria-label="Events">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          {hasResource && <Table.Th>Of</Table.Th>}
          <Table.Th>Reason</Table.Th>
          <Table.Th>Message</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keyed(events).map(([key, event]) => (
          <EventRow key={key} event={event} hasResource={hasResource} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
