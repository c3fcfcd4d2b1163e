import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerFacts } from './server-facts.ts';

/** The conditions of a server. @spec §2.6 status */
export const ServerConditions = ({ server }: { readonly server: ServerFacts }): ReactNode =>
  server.conditions.length === 0 ? (
    <Text size="sm">The gateway has not tried this server yet.</Text>
  ) : (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label="Conditions">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Condition</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Message</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {server.conditions.map(({ type, status, reason, message }) => (
            <Table.Tr key={type}>
              <Table.Td>{type}</Table.Td>
              <Table.Td>{status}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <bdi>{message === '' ? reason : message}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
