import { Card, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A part of a page with a title. */
export const PageSection = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode => (
  <Card withBorder component="section" aria-label={title}>
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Card>
);
