import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The page of an address that has none. */
export const NotFoundPage = (): ReactNode => (
  <Stack>
    <Title order={1} size="h3">
      This page does not exist
    </Title>
    <Text>
      Continue with the{' '}
      <Anchor component={Link} to="/catalog">
        catalog
      </Anchor>
      .
    </Text>
  </Stack>
);
