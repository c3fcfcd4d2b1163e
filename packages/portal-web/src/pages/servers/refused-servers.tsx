import { Alert, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RefusedServer } from './server-facts.ts';

/** The servers whose definitions are not valid, with every problem. */
export const RefusedServers = ({
  servers,
}: {
  readonly servers: readonly RefusedServer[];
}): ReactNode =>
  servers.length === 0 ? null : (
    <Alert color="red" title="Definitions that cannot be used">
      {servers.map(({ name, problems }) => (
        <div key={name}>
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Text>
          <List size="sm">
            {[...new Set(problems)].map((problem) => (
              <List.Item key={problem} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{problem}</bdi>
              </List.Item>
            ))}
          </List>
        </div>
      ))}
    </Alert>
  );
