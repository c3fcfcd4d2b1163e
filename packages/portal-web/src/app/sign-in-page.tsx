import { Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { signInUrl } from '../backend/session.ts';

/** Asks a person to sign in, and comes back to the same page. */
export const SignInPage = (): ReactNode => (
  <Center component="main" mih="100vh" p="md">
    <Stack align="center" gap="sm">
      <Title order={1} size="h3">
        Portal
      </Title>
      <Text>Sign in to see your agents and tools.</Text>
      <Button component="a" href={signInUrl(location.href)}>
        Sign in
      </Button>
    </Stack>
  </Center>
);
