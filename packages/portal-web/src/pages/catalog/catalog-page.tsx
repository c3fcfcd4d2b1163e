import { SignInOffers, ToolList } from '@gateway/portal-ui';
import {
  type ListedTool,
  filterTools,
  listServers,
  TOOL_GROUPS,
  TOOL_HINTS,
  TOOL_KINDS,
  type ToolFilter,
} from '@gateway/toolset-composer';
import { Button, Group, Pill, SimpleGrid, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type FilterChoice, FilterSelect, SearchField } from '../../addresses/address-fields.tsx';
import { type CatalogSearch, readToolFilter } from '../../addresses/searches.ts';
import { useBackend } from '../../backend/backend.ts';
import { Loaded } from '../../display/loading.tsx';
import { formatCount, PageLink, PageTitle, renderToolLink } from '../../display/page-parts.tsx';
import { type FoundTools, useServerList, useTools } from '../../queries/catalog.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';

const ANY: FilterChoice = { value: '', label: 'Any' };
const GROUPS = TOOL_GROUPS.map(({ group, label }) => ({ value: group, label }));
const KINDS = TOOL_KINDS.map(({ kind, label }) => ({ value: kind, label }));
const HINTS = TOOL_HINTS.map(({ hint, label }) => ({ value: hint, label }));

const toChoice = (name: string): FilterChoice => ({ value: name, label: name });

interface CatalogFiltersProps {
  readonly filter: ToolFilter;
  /** The names of the servers and families that are offered. */
  readonly servers: readonly string[];
  readonly onChange: (filter: ToolFilter) => void;
}

/** The filters of the catalog. Every part that is absent takes everything. */
const CatalogFilters = ({ filter, servers, onChange }: CatalogFiltersProps): ReactNode => {
  const selects = [
    { label: 'Group', choices: GROUPS, part: 'group' },
    { label: 'Server', choices: servers.map(toChoice), part: 'server' },
    { label: 'Kind', choices: KINDS, part: 'kind' },
    { label: 'Annotation', choices: HINTS, part: 'hint' },
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs" role="group" aria-label="Filters">
      {selects.map(({ label, choices, part }) => (
        <FilterSelect
          key={part}
          label={label}
          choices={[ANY, ...choices]}
          value={filter[part]}
          onChange={(value) => onChange(readToolFilter({ ...filter, [part]: value }))}
        />
      ))}
    </SimpleGrid>
  );
};

/** The number of tools that are shown, and the way back to all of them. */
const FilterSummary = ({
  shown,
  total,
  onClear,
}: {
  readonly shown: number;
  readonly total: number;
  /** Absent without a filter. */
  readonly onClear?: (() => void) | undefined;
}): ReactNode => (
  <Group justify="space-between" mih={30}>
    <Text size="sm" role="status">
      {shown === total ? formatCount(total, 'tool') : `${shown} of ${formatCount(total, 'tool')}`}
    </Text>
    {onClear !== undefined && (
      <Button variant="default" size="xs" onClick={onClear}>
        Clear the filters
      </Button>
    )}
  </Group>
);

/** The toolset that narrows the catalog, with the ways to its explanation and to all tools. */
const CatalogToolset = ({ toolset }: { readonly toolset: readonly string[] }): ReactNode => (
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
    <PageLink to="/catalog" search={({ toolset: _toolset, ...others }) => others} size="sm">
      Show all tools
    </PageLink>
  </Group>
);

const route = getRouteApi('/catalog');

const formatEmptyText = (
  isFiltered: boolean,
  { query }: CatalogSearch,
  { closest }: FoundTools,
): string => {
  if (isFiltered) return 'No tool passes these filters. Clear the filters, or choose others.';
  if (query === undefined)
    return 'The catalog has no tools for you yet. Sign in to a server, or connect one to the gateway.';
  const text = 'No tool matches these words. Try others, for example what the tool does.';
  return closest === '' ? text : `${text} The closest word is ${closest}.`;
};

/** The tools of a search that pass the filters. */
const useFilteredTools = (found: FoundTools, filter: ToolFilter): readonly ListedTool[] => {
  const { labelDomain } = useBackend().session;
  const servers = useServerList();
  const { group, server, kind, hint } = filter;
  return useMemo(
    () =>
      filterTools(
        {
          tools: found.tools,
          servers,
          requiringAuth: new Set(),
          ...(labelDomain !== undefined && { labelDomain }),
        },
        {
          ...(group !== undefined && { group }),
          ...(server !== undefined && { server }),
          ...(kind !== undefined && { kind }),
          ...(hint !== undefined && { hint }),
        },
      ),
    [found.tools, servers, labelDomain, group, server, kind, hint],
  );
};

const Found = ({
  found,
  search,
}: {
  readonly found: FoundTools;
  readonly search: CatalogSearch;
}): ReactNode => {
  const navigate = route.useNavigate();
  const onSignIn = useStartSignIn();
  const { query: _query, toolset: _toolset, ...filter } = search;
  const tools = useFilteredTools(found, filter);
  const servers = useMemo(() => listServers(found.tools), [found.tools]);
  const isFiltered = Object.keys(filter).length > 0;
  const change = (next: ToolFilter): void => {
    void navigate({
      search: ({ query, toolset }) => ({
        ...(query !== undefined && { query }),
        ...(toolset !== undefined && { toolset }),
        ...next,
      }),
    });
  };
  return (
    <>
      <CatalogFilters filter={filter} servers={servers} onChange={change} />
      <SignInOffers servers={found.requiringAuth} onSignIn={onSignIn} />
      <FilterSummary
        shown={tools.length}
        total={found.total}
        onClear={isFiltered ? () => change({}) : undefined}
      />
      {tools.length === 0 ? (
        <Text size="sm">{formatEmptyText(isFiltered, search, found)}</Text>
      ) : (
        <ToolList tools={tools} label="Tools" maxHeight={640} renderName={renderToolLink} />
      )}
    </>
  );
};

/** The catalog that agents see: the tools of the gateway, for the user who reads the page. */
export const CatalogPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = (query: string): void => {
    void navigate({
      search: ({ query: _former, ...others }) => ({ ...others, ...(query !== '' && { query }) }),
      replace: true,
    });
  };
  return (
    <Stack>
      <PageTitle title="Catalog" />
      {search.toolset !== undefined && <CatalogToolset toolset={search.toolset} />}
      <SearchField
        label="Find tools"
        description="In your own words, for example: create a ticket"
        query={search.query}
        onSearch={find}
      />
      <Loaded query={useTools(search)} h={320}>
        {(found) => <Found found={found} search={search} />}
      </Loaded>
    </Stack>
  );
};
