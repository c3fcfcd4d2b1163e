import { Affix, Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBackend } from '../backend/backend.ts';

const PATIENCE_MS = 3_000;
const POLL_MS = 10_000;

/** Says above the page that the gateway has not answered within three seconds, until it does. Nothing on the page moves. */
export const GatewayBanner = (): ReactNode => {
  const { gateway } = useBackend();
  const { data: isThere = true } = useQuery({
    queryKey: ['gateway-answers'],
    refetchInterval: ({ state }) => (state.data === false ? PATIENCE_MS : POLL_MS),
    queryFn: async ({ signal }) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      const outcome = await gateway.request('server/discover', {}, { signal: patience });
      // Any other answer is one of the gateway.
      return outcome.ok || ![0, 502].includes(outcome.status);
    },
  });
  return isThere ? null : (
    <Affix position={{ bottom: 16, left: 16 }}>
      <Alert color="red" role="alert" title="The gateway does not answer" maw={420}>
        Pages show what was read before. They continue when it is back.
      </Alert>
    </Affix>
  );
};
