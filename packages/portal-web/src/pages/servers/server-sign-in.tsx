import { Alert, Button, Group, Text } from '@mantine/core';
import { SignInOffers } from '@gateway/portal-ui';
import type { ReactNode } from 'react';
import { useCoreCommand } from '../../queries/use-core-command.ts';
import { useStartSignIn } from '../../queries/use-start-sign-in.ts';
import { isSignedOut, type ServerFacts } from './server-facts.ts';

const SignOut = ({ name }: { readonly name: string }): ReactNode => {
  const command = useCoreCommand();
  return (
    <>
      <Group gap="xs">
        <Text size="sm">You are signed in to this server.</Text>
        <Button
          size="xs"
          variant="default"
          loading={command.isPending}
          onClick={() => command.mutate({ tool: 'core_auth_logout', args: { server: name } })}
        >
          Sign out
        </Button>
      </Group>
      {command.error !== null && (
        <Alert color="red" role="alert">
          <bdi>{command.error.message}</bdi>
        </Alert>
      )}
    </>
  );
};

/** The reader's own sign-in to a server that persons sign in to; nothing for any other. @spec §5 */
export const ServerSignIn = ({ server }: { readonly server: ServerFacts }): ReactNode => {
  const startSignIn = useStartSignIn();
  if (server.signIn?.status === 'connected') return <SignOut name={server.name} />;
  return isSignedOut(server) ? (
    <SignInOffers servers={[server.name]} onSignIn={startSignIn} />
  ) : null;
};
