import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { SignInOffers, ToolList } from '@gateway/portal-ui';
import {
  filterTools,
  serversOfTools,
  type CatalogTool,
  type ToolFilter,
} from '@gateway/toolset-composer';
import { useMemo, type ReactNode } from 'react';
import { LoadingArea } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import type { CatalogSearch } from '../../addresses/catalog-search.ts';
import { PageLink } from '../../addresses/page-link.tsx';
import { useBackend } from '../../backend/backend-context.ts';
import { useServerList } from '../../queries/use-server-list.ts';
import { useStartSignIn } from '../../queries/use-start-sign-in.ts';
import { CatalogFilters, FilterSummary } from './catalog-filters.tsx';
import { CatalogToolset } from './catalog-toolset.tsx';
import { useSearchText } from '../../addresses/use-search-text.ts';
import { useTools, type FoundTools } from '../../queries/use-tools.ts';

const route = getRouteApi('/catalog');

const toolLink = ({ name }: CatalogTool): ReactNode => (
  <PageLink to="/catalog/$tool" params={{ tool: name }} inherit>
    {name}
  </PageLink>
);

const filterOf = ({ query: _query, toolset: _toolset, ...filter }: CatalogSearch): ToolFilter =>
  filter;

const nothingText = (isFiltered: boolean, { query }: CatalogSearch): string => {
  if (isFiltered) return 'No tool passes these filters. Clear the filters, or choose others.';
  return query === undefined
    ? 'The catalog has no tools for you yet. Sign in to a server, or connect one to the gateway.'
    : 'No tool matches these words. Try others, for example what the tool does.';
};

/** The tools of a search that pass the filters. */
const usePassing = (found: FoundTools, filter: ToolFilter): readonly CatalogTool[] => {
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

/** A query with letters always finds something: the notice says why the tools do not fit the words. */
const SimilarNotice = (): ReactNode => (
  <Alert color="yellow" role="status">
    No tool has these words. These are the most similar.
  </Alert>
);

const Found = ({
  found,
  search,
}: {
  readonly found: FoundTools;
  readonly search: CatalogSearch;
}): ReactNode => {
  const navigate = route.useNavigate();
  const onSignIn = useStartSignIn();
  const filter = filterOf(search);
  const tools = usePassing(found, filter);
  const servers = useMemo(() => serversOfTools(found.tools), [found.tools]);
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
      {found.areOnlySimilar && <SimilarNotice />}
      <FilterSummary
        shown={tools.length}
        total={found.total}
        onClear={isFiltered ? () => change({}) : undefined}
      />
      {tools.length === 0 ? (
        <Text size="sm">{nothingText(isFiltered, search)}</Text>
      ) : (
        <ToolList tools={tools} label="Tools" maxHeight={640} renderName={toolLink} />
      )}
    </>
  );
};

/** The catalog that agents see: the tools of the gateway, for the person who reads the page. */
export const CatalogPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useTools(search);
  const { text, setText } = useSearchText(search.query ?? '', (query) => {
    void navigate({
      search: ({ query: _former, ...others }) => ({ ...others, ...(query !== '' && { query }) }),
      replace: true,
    });
  });
  return (
    <Stack>
      <PageTitle title="Catalog" />
      {search.toolset !== undefined && <CatalogToolset toolset={search.toolset} />}
      <TextInput
        type="search"
        label="Find tools"
        description="In your own words, for example: create a ticket"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {found.isError && (
        <Alert color="red" role="alert">
          {found.error.message}
        </Alert>
      )}
      {found.isPending && <LoadingArea h={320} />}
      {found.data !== undefined && <Found found={found.data} search={search} />}
    </Stack>
  );
};
