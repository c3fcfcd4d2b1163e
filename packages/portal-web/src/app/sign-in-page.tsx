import { Alert, Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { signInUrl } from '../backend/session.ts';

/** The parameter of the address after a sign-in that failed. */
const RESULT = 'sign-in';

/** Returns the address of this page without the result of the last sign-in. */
const thisPage = (): string => {
  const url = new URL(location.href);
  url.searchParams.delete(RESULT);
  return url.href;
};

/** Asks a person to sign in, and comes back to the same page. */
export const SignInPage = (): ReactNode => (
  <Center component="main" mih="100vh" p="md">
    <Stack align="center" gap="sm">
      <Title order={1} size="h3">
        Portal
      </Title>
      {new URLSearchParams(location.search).get(RESULT) === 'failed' && (
        <Alert color="red" role="alert" title="The sign-in failed">
          Try again. The log of the portal has an entry about it.
        </Alert>
      )}
      <Text>Sign in to see your agents and tools.</Text>
      <Button component="a" href={signInUrl(thisPage())}>
        Sign in
      </Button>
    </Stack>
  </Center>
);
