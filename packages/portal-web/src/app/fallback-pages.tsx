import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLink, PageTitle } from '../display/page-parts.tsx';

/** In the place of a page that failed, or whose files are not there: the portal was replaced by another version, or cannot be reached. */
export const FailedPage = (): ReactNode => (
  <Stack>
    <PageTitle title="This page cannot be shown" />
    <Text role="alert">
      The page failed, or the portal has changed or cannot be reached. Load it again, or continue
      with another page.
    </Text>
    <Group>
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </Group>
  </Stack>
);

/** The page of an address that has none. */
export const NotFoundPage = (): ReactNode => (
  <Stack>
    <PageTitle title="This page does not exist" />
    <Text>
      Continue with the <PageLink to="/catalog">catalog</PageLink>.
    </Text>
  </Stack>
);
