import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { LoadingArea } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import type { Explanation } from '@gateway/toolset-composer';
import { readToolsetsSearch } from '../../addresses/toolsets-search.ts';
import { useBackend } from '../../backend/backend-context.ts';
import { useExplainedToolset, type ExplainedToolset } from '../../queries/use-explained-toolset.ts';
import { useTools } from '../../queries/use-tools.ts';
import { ComparedTools } from './compared-tools.tsx';
import { ToolsetSide } from './toolset-side.tsx';

const route = getRouteApi('/toolsets');

const LABELS = ['First toolset', 'Second toolset'] as const;
const NONE: readonly string[] = [];

/** The person for whom the gateway resolves the toolsets. */
const Person = (): ReactNode => {
  const { person } = useBackend().session;
  return (
    <Text size="sm">
      What each toolset selects for{' '}
      {person === undefined ? (
        'you'
      ) : (
        <b>
          <bdi>{person.name}</bdi>
        </b>
      )}
      , and why. Other people can see other tools.
    </Text>
  );
};

/** The sides that the gateway explains, with their names. */
const useExplained = (
  left: ExplainedToolset,
  right: ExplainedToolset,
): { readonly explanations: readonly Explanation[]; readonly labels: readonly string[] } => {
  const [first, second] = [left.explanation, right.explanation];
  return useMemo(() => {
    const sides = [first, second].flatMap((explanation, at) =>
      explanation === undefined ? [] : [{ explanation, label: LABELS[at] ?? '' }],
    );
    return {
      explanations: sides.map(({ explanation }) => explanation),
      labels: sides.map(({ label }) => label),
    };
  }, [first, second]);
};

const isRefused = ({ resolution }: ExplainedToolset): boolean =>
  resolution.state === 'unknown-preset' || resolution.state === 'error';

const Comparison = ({
  left,
  right,
}: {
  readonly left: ExplainedToolset;
  readonly right: ExplainedToolset;
}): ReactNode => {
  const catalog = useTools({});
  const { explanations, labels } = useExplained(left, right);
  if (explanations.length === 0) return null;
  if (catalog.isPending) return <LoadingArea h={200} />;
  if (catalog.isError)
    return (
      <Alert color="red" role="alert">
        {catalog.error.message}
      </Alert>
    );
  return (
    <>
      {[left, right].some(isRefused) && (
        <Text size="sm">
          This list is that of the {labels.join().toLowerCase()} alone: the other one is refused.
        </Text>
      )}
      <ComparedTools tools={catalog.data.tools} explanations={explanations} labels={labels} />
    </>
  );
};

/** Two toolsets next to each other: what each selects for the person, and why a tool is in or out. */
export const ToolsetsPage = (): ReactNode => {
  const { left = NONE, right = NONE } = route.useSearch();
  const navigate = route.useNavigate();
  const [first, second] = [useExplainedToolset(left), useExplainedToolset(right)];
  const change = (side: 'left' | 'right', toolset: readonly string[]): void => {
    const value = toolset.length === 0 ? undefined : toolset;
    void navigate({
      search: (search) => readToolsetsSearch({ ...search, [side]: value }),
      resetScroll: false,
    });
  };
  return (
    <Stack>
      <PageTitle title="Toolsets" />
      <Person />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ToolsetSide
          label={LABELS[0]}
          toolset={left}
          explained={first}
          onChange={(toolset) => change('left', toolset)}
        />
        <ToolsetSide
          label={LABELS[1]}
          toolset={right}
          explained={second}
          onChange={(toolset) => change('right', toolset)}
        />
      </SimpleGrid>
      <Comparison left={first} right={second} />
    </Stack>
  );
};
