import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServerFacts } from './server-facts.ts';

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
  const shown = signIn?.status === 'connected' ? 'Connected' : state;
  return (
    <>
      <Badge variant="light" color={COLORS.get(shown) ?? 'gray'} tt="none">
        {shown}
      </Badge>
      {(health === 'degraded' || health === 'unhealthy') && shown !== 'Failed' && (
        <Badge variant="light" color="orange" tt="none">
          {health}
        </Badge>
      )}
    </>
  );
};
