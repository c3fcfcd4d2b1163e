import { Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ToolMarks } from '@gateway/portal-ui';
import { lazy, Suspense, type ReactNode } from 'react';
import { LoadingArea } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { ReadFailure } from '../../display/read-failure.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { readToolSearch } from '../../addresses/tool-search.ts';
import { useBackend } from '../../backend/backend-context.ts';
import { callMetaTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY, readServers } from '../../queries/use-catalog.ts';
import { ArgumentTable } from './argument-table.tsx';
import { ToolAnnotations } from './tool-annotations.tsx';
import { toolDetailOf, type ToolDetail } from './tool-detail.ts';

const route = getRouteApi('/catalog/$tool');

/** Forms are large and loaded when they are needed. */
const TryTool = lazy(async () => ({ default: (await import('./try-tool.tsx')).TryTool }));

const ChangeHistory = lazy(async () => ({
  default: (await import('./change-history.tsx')).ChangeHistory,
}));

const useTool = (name: string) => {
  const { gateway } = useBackend();
  return useQuery({
    queryKey: [CATALOG_KEY, 'tool', name],
    queryFn: async ({ signal }) =>
      toolDetailOf(await callMetaTool(gateway, 'describe_tool', { name }, { signal })),
  });
};

/** The server of a tool as a link; for a tool of a family, the list of its members. */
const ServerLink = ({ name }: { readonly name: string }): ReactNode => {
  const backend = useBackend();
  const { data: servers = [] } = useQuery({
    queryKey: [CATALOG_KEY, 'servers'],
    queryFn: ({ signal }) => readServers(backend, signal),
  });
  if (servers.some((server) => server.name === name))
    return (
      <PageLink to="/servers/$name" params={{ name }} inherit>
        <bdi>{name}</bdi>
      </PageLink>
    );
  return (
    <PageLink to="/servers" search={{ query: name }} inherit>
      <bdi>{name}</bdi>
    </PageLink>
  );
};

const Heading = ({ tool }: { readonly tool: ToolDetail }): ReactNode => (
  <Stack gap={4}>
    <Group gap="sm">
      <PageTitle title={tool.name} kind="Tool" isCode />
      <ToolMarks tool={tool} />
    </Group>
    {tool.server !== undefined && (
      <Text size="sm" c="dimmed">
        of the server <ServerLink name={tool.server} />
      </Text>
    )}
  </Stack>
);

const About = ({ tool }: { readonly tool: ToolDetail }): ReactNode => (
  <Stack pt="md">
    <Text
      component="bdi"
      display="block"
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {tool.description}
    </Text>
    <ArgumentTable tool={tool} />
    <ToolAnnotations tool={tool} />
  </Stack>
);

const Tool = ({ tool }: { readonly tool: ToolDetail }): ReactNode => {
  const { tab = 'about' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (value: string | null): void => {
    void navigate({ search: readToolSearch({ tab: value }), replace: true });
  };
  return (
    <Stack>
      <Heading tool={tool} />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="about">About</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          {tool.server !== undefined && <Tabs.Tab value="changes">Changes</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="about">
          <About tool={tool} />
        </Tabs.Panel>
        <Tabs.Panel value="try" pt="md">
          <Suspense fallback={<LoadingArea h={200} />}>
            <TryTool key={tool.name} tool={tool} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="changes" pt="md">
          <Suspense fallback={<LoadingArea h={200} />}>
            <ChangeHistory tool={tool} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};

/** One tool: its description, arguments and annotations, a form that calls it, and its changes. */
export const ToolPage = (): ReactNode => {
  const { tool: name } = route.useParams();
  const { data, error } = useTool(name);
  return (
    <Stack>
      <PageLink to="/catalog" search={{}} size="sm">
        All tools
      </PageLink>
      {data === undefined && error !== null && <PageTitle title={name} kind="Tool" isCode />}
      <ReadFailure
        error={error}
        hasData={data !== undefined}
        next={
          <PageLink to="/catalog" search={{}}>
            all tools
          </PageLink>
        }
      />
      {data !== undefined && <Tool tool={data} />}
      {data === undefined && error === null && <LoadingArea h={200} />}
    </Stack>
  );
};
