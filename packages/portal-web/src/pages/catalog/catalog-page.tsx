import { SignInOffers, ToolMarks } from '@gateway/portal-ui';
import {
  filterTools,
  type ListedTool,
  TOOL_GROUPS,
  TOOL_HINTS,
  TOOL_KINDS,
  toToolHint,
} from '@gateway/toolset-composer';
import { Checkbox, Group, Pill, Stack, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { CatalogSearch } from '../../addresses/searches.ts';
import { useBackend } from '../../backend/backend.ts';
import { type Column, DataTable, type Filter } from '../../display/data-table.tsx';
import { Loaded } from '../../display/loading.tsx';
import { PageHead, PageLink, renderToolLink } from '../../display/page-parts.tsx';
import { type FoundTools, useServerList, useTools } from '../../queries/catalog.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';

const KIND_LABELS = new Map(TOOL_KINDS.map(({ kind, label }) => [kind, label]));

/** Returns the server or family of a tool, or the kind of a tool of the gateway itself. */
const toOrigin = ({ server, kind }: ListedTool): string => server ?? KIND_LABELS.get(kind) ?? kind;

const NAME: Column<ListedTool> = {
  id: 'name',
  label: 'Name',
  render: renderToolLink,
  sortBy: ({ name }) => name,
};
const SERVER: Column<ListedTool> = {
  id: 'server',
  label: 'Server',
  w: 170,
  render: (tool) => <bdi>{toOrigin(tool)}</bdi>,
  sortBy: toOrigin,
};
const MORE: readonly Column<ListedTool>[] = [
  {
    id: 'hint',
    label: 'Annotation',
    w: 120,
    render: (tool) => <ToolMarks tool={tool} />,
    sortBy: toToolHint,
  },
  {
    id: 'description',
    label: 'Description',
    render: ({ description }) => <bdi title={description}>{description}</bdi>,
  },
];
const COLUMNS = [NAME, SERVER, ...MORE];

/** The columns of the tools of one server, and of tools in groups by it. */
const COLUMNS_OF_ONE = [NAME, ...MORE];

const FILTERS: readonly Filter<ListedTool>[] = [
  {
    key: 'group',
    label: 'Group',
    choices: TOOL_GROUPS.map(({ group, label }) => ({ value: group, label })),
  },
  {
    key: 'server',
    label: 'Server',
    valuesOf: ({ server }) => (server === undefined ? [] : [server]),
  },
  {
    key: 'kind',
    label: 'Kind',
    choices: TOOL_KINDS.map(({ kind, label }) => ({ value: kind, label })),
    valuesOf: ({ kind }) => [kind],
  },
  {
    key: 'hint',
    label: 'Annotation',
    choices: TOOL_HINTS.map(({ hint, label }) => ({ value: hint, label })),
    valuesOf: (tool) => [toToolHint(tool)],
  },
];

const keyOf = ({ name }: ListedTool): string => name;

const useToolActions = () => {
  const navigate = useNavigate();
  return ({ name }: ListedTool) => [
    {
      label: 'Try it',
      onClick: () =>
        void navigate({ to: '/catalog/$tool', params: { tool: name }, search: { tab: 'try' } }),
    },
    {
      label: 'Who changed what',
      onClick: () =>
        void navigate({ to: '/catalog/$tool', params: { tool: name }, search: { tab: 'changes' } }),
    },
  ];
};

/** The tools of one server. */
export const ServerToolTable = ({
  tools,
}: {
  readonly tools: readonly ListedTool[];
}): ReactNode => (
  <DataTable
    label="Tools of the server"
    noun="tool"
    records={tools}
    recordKey={keyOf}
    columns={COLUMNS_OF_ONE}
    listActions={useToolActions()}
    empty={<Text size="sm">None of its tools is in your catalog now.</Text>}
  />
);

/** The toolset that narrows the catalog, with the ways to its explanation and to all tools. */
const CatalogToolset = ({
  search: { toolset = [], ...others },
}: {
  readonly search: CatalogSearch;
}): ReactNode => (
  <Group gap="xs" role="group" aria-label="Toolset of this catalog">
    <Text size="sm">Only the tools of</Text>
    {toolset.map((selector) => (
      <Pill key={selector}>
        <bdi>{selector}</bdi>
      </Pill>
    ))}
    <PageLink to="/toolsets" search={{ left: [...toolset] }} size="sm">
      Why these tools
    </PageLink>
    <PageLink to="/catalog" search={others} size="sm">
      Show all tools
    </PageLink>
  </Group>
);

const route = getRouteApi('/catalog');

const formatEmptyText = ({ query }: CatalogSearch, { closest }: FoundTools): string => {
  if (query === undefined)
    return 'The catalog has no tools for you yet. Sign in to a server, or connect one to the gateway.';
  const text = 'No tool matches these words. Try others, for example what the tool does.';
  return closest === '' ? text : `${text} The closest word is ${closest}.`;
};

/** The tools of a search in the group of the address. */
const useToolsOfGroup = (
  { tools }: FoundTools,
  { group }: CatalogSearch,
): readonly ListedTool[] => {
  const { labelDomain } = useBackend().session;
  const servers = useServerList();
  return useMemo(
    () =>
      group === undefined
        ? tools
        : filterTools(
            {
              ...{ tools, servers, requiringAuth: new Set<string>() },
              ...(labelDomain !== undefined && { labelDomain }),
            },
            { group },
          ),
    [tools, servers, labelDomain, group],
  );
};

const Found = ({
  found,
  search,
}: {
  readonly found: FoundTools;
  readonly search: CatalogSearch;
}): ReactNode => {
  const onSignIn = useStartSignIn();
  const navigate = route.useNavigate();
  const tools = useToolsOfGroup(found, search);
  // Words are ranked, and a sorted column is an order of all tools.
  const isGrouped = [search.query, search.sort, search.flat].every((part) => part === undefined);
  return (
    <>
      <SignInOffers servers={found.requiringAuth} onSignIn={onSignIn} />
      <DataTable
        label="Tools"
        noun="tool"
        records={tools}
        recordKey={keyOf}
        total={found.total}
        columns={isGrouped ? COLUMNS_OF_ONE : COLUMNS}
        filters={FILTERS}
        searchLabel="Find tools"
        groupBy={isGrouped ? toOrigin : undefined}
        listActions={useToolActions()}
        nothing={
          found.tools.length === 0
            ? formatEmptyText(search, found)
            : 'No tool passes these filters. Clear the filters, or choose others.'
        }
      >
        {search.query === undefined && search.sort === undefined && (
          <Checkbox
            size="xs"
            label="Group by server"
            checked={isGrouped}
            onChange={() =>
              void navigate({
                search: ({ flat, ...others }) => ({ ...others, ...(flat !== 1 && { flat: 1 }) }),
                replace: true,
              })
            }
          />
        )}
      </DataTable>
    </>
  );
};

/** The catalog that agents see: the tools of the gateway, for the user who reads the page. */
export const CatalogPage = (): ReactNode => {
  const search = route.useSearch();
  return (
    <Stack>
      <PageHead
        title="Catalog"
        text="The tools that agents can use. Search in your own words, for example: create a ticket."
      />
      {search.toolset !== undefined && <CatalogToolset search={search} />}
      <Loaded query={useTools(search)} h={320}>
        {(found) => <Found found={found} search={search} />}
      </Loaded>
    </Stack>
  );
};
