import { Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunListSearch } from '../../addresses/searches.ts';
import { PageLink, PageTitle } from '../../display/page-parts.tsx';
import { RunList } from './run-list.tsx';

const route = getRouteApi('/runs');

const Empty = ({ workflow }: { readonly workflow: string | undefined }): ReactNode => (
  <Text>
    {workflow === undefined ? 'No workflow has run yet. ' : 'This workflow has not run yet. '}
    <PageLink to="/workflows">Choose a workflow</PageLink> and run it.
  </Text>
);

/** The runs that the person may see, of one workflow or of all. */
export const RunsPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { workflow } = search;
  const show = (next: RunListSearch): void => {
    void navigate({ search: { ...(workflow !== undefined && { workflow }), ...next } });
  };
  return (
    <Stack>
      <PageLink to="/workflows" size="sm">
        All workflows
      </PageLink>
      <Group justify="space-between">
        <PageTitle title={workflow === undefined ? 'Runs' : `Runs of ${workflow}`}>
          {' '}
          Runs
          {workflow !== undefined && (
            <>
              {' of '}
              <bdi>{workflow}</bdi>
            </>
          )}
        </PageTitle>
        {workflow !== undefined && (
          <PageLink to="/runs" size="sm">
            Runs of all workflows
          </PageLink>
        )}
      </Group>
      <RunList
        search={search}
        hasWorkflow={workflow === undefined}
        empty={<Empty workflow={workflow} />}
        onSearch={show}
      />
    </Stack>
  );
};
