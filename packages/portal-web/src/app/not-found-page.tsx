import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageTitle } from '../display/page-title.tsx';

/** The page of an address that has none. */
export const NotFoundPage = (): ReactNode => (
  <Stack>
    <PageTitle title="This page does not exist" />
    <Text>
      Continue with the{' '}
      <Anchor component={Link} to="/catalog">
        catalog
      </Anchor>
      .
    </Text>
  </Stack>
);
