import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerFacts } from './server-facts.ts';

const HEALTH: ReadonlyMap<string | undefined, string> = new Map([
  ['degraded', 'Degraded'],
  ['unhealthy', 'Unhealthy'],
]);

const COLORS: ReadonlyMap<string, string> = new Map([
  ['Running', 'teal'],
  ['Connected', 'teal'],
  ['Starting', 'blue'],
  ['Connecting', 'blue'],
  ['Auth Required', 'orange'],
  ['Failed', 'red'],
]);

/** The state of a server as the reader sees it. @spec §2.6 */
export const ServerState = ({ server }: { readonly server: ServerFacts }): ReactNode => {
  const { state, signIn, health } = server;
  const problem = HEALTH.get(health);
  const shown = signIn?.status === 'connected' ? 'Connected' : state;
  return (
    <>
      <Badge variant="light" color={COLORS.get(shown) ?? 'gray'} tt="none">
        {shown}
      </Badge>
      {problem !== undefined && shown !== 'Failed' && (
        <Badge variant="light" color="orange" tt="none">
          {problem}
        </Badge>
      )}
    </>
  );
};
