import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink } from '../../addresses/page-link.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { RefusalError } from '../../queries/answered-value.ts';
import type { AgentName } from './use-agent.ts';

/** The page of an agent that cannot be read: it does not exist, or agent-manager says why. */
export const UnavailableAgent = ({
  name: { namespace, name },
  error,
}: {
  readonly name: AgentName;
  readonly error: Error;
}): ReactNode => {
  if (error instanceof RefusalError && error.code === 'not_found')
    return (
      <Stack>
        <PageTitle title={`There is no agent ${namespace}/${name}`} />
        <Text>
          It was deleted, or the address is not correct. Continue with{' '}
          <PageLink to="/agents">all agents</PageLink>, or{' '}
          <PageLink to="/agents/new">create an agent</PageLink>.
        </Text>
      </Stack>
    );
  return (
    <Stack>
      <PageTitle title={name} kind="Agent" />
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    </Stack>
  );
};
