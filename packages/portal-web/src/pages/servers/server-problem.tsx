import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isSignedOut, type ServerFacts } from './server-facts.ts';

/** Returns a sentence about a server that does not work; `undefined` for any other. */
const problemOf = (server: ServerFacts): string | undefined => {
  const { state, statusMessage, signIn } = server;
  if (signIn?.error !== undefined && !isSignedOut(server))
    return 'Your sign-in to this server does not work';
  return state === 'Failed' ? (statusMessage ?? 'Server failed to start') : undefined;
};

/** The last error of a server in plain words, with the gateway's own reason; nothing for a server without one. */
export const ServerProblem = ({ server }: { readonly server: ServerFacts }): ReactNode => {
  const problem = problemOf(server);
  const reason = server.signIn?.error ?? server.error;
  if (problem === undefined) return null;
  return (
    <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
      {problem}
      {reason !== undefined && (
        <>
          {': '}
          <bdi>{reason}</bdi>
        </>
      )}
    </Text>
  );
};
