import { Alert, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ToolMarks } from '@gateway/portal-ui';
import { lazy, Suspense, type ReactNode } from 'react';
import { readToolSearch } from '../../addresses/tool-search.ts';
import { useBackend } from '../../backend/backend-context.ts';
import { callMetaTool } from '../../mcp/meta-tools.ts';
import { CATALOG_KEY } from '../../queries/use-catalog.ts';
import { ArgumentTable } from './argument-table.tsx';
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

const Heading = ({ tool }: { readonly tool: ToolDetail }): ReactNode => (
  <Stack gap={4}>
    <Group gap="sm">
      <Title order={1} size="h3" ff="monospace">
        <bdi>{tool.name}</bdi>
      </Title>
      <ToolMarks tool={tool} />
    </Group>
    {tool.server !== undefined && (
      <Text size="sm" c="dimmed">
        of the server <bdi>{tool.server}</bdi>
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
          <Suspense fallback={<Skeleton h={200} />}>
            <TryTool key={tool.name} tool={tool} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="changes" pt="md">
          <Suspense fallback={<Skeleton h={200} />}>
            <ChangeHistory tool={tool} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
};

/** One tool: its description, its arguments, and a form that calls it. */
export const ToolPage = (): ReactNode => {
  const { tool: name } = route.useParams();
  const found = useTool(name);
  if (found.isPending) return <Skeleton h={200} aria-label="Loading" />;
  if (found.isError)
    return (
      <Alert color="red" role="alert">
        {found.error.message}
      </Alert>
    );
  return <Tool tool={found.data} />;
};
