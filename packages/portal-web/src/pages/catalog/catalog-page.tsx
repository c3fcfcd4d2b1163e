import { Alert, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { ToolList } from '@gateway/portal-ui';
import type { ReactNode } from 'react';
import type { CatalogTool } from '@gateway/toolset-composer';
import { PageLink } from '../../addresses/page-link.tsx';
import { useTools } from './use-tools.ts';

const route = getRouteApi('/catalog');
const DEBOUNCE_MS = 200;

const toolLink = ({ name }: CatalogTool): ReactNode => (
  <PageLink to="/catalog/$tool" params={{ tool: name }} inherit>
    {name}
  </PageLink>
);

/** The catalog that agents see: the tools of the gateway, for the person who reads the page. */
export const CatalogPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useTools(search);
  const setQuery = useDebouncedCallback((query: string) => {
    void navigate({
      search: ({ toolset }) => ({ ...(toolset && { toolset }), ...(query !== '' && { query }) }),
      replace: true,
    });
  }, DEBOUNCE_MS);
  return (
    <Stack>
      <Title order={1} size="h3">
        Catalog
      </Title>
      <TextInput
        type="search"
        label="Find tools"
        description="In your own words, for example: create a ticket"
        defaultValue={search.query ?? ''}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {found.isError && (
        <Alert color="red" role="alert">
          {found.error.message}
        </Alert>
      )}
      {found.data !== undefined && (
        <>
          <Text size="sm" role="status">{`${found.data.total} tools`}</Text>
          <ToolList tools={found.data.tools} label="Tools" maxHeight={640} renderName={toolLink} />
        </>
      )}
    </Stack>
  );
};
