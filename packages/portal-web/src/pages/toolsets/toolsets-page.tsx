import { ToolsetEditor } from '@gateway/portal-ui';
import {
  type Explanation,
  formatResolution,
  type ResolvedTools,
  formatResolvesTo,
  formatRule,
  fromToolset,
  UNMATCHED_TEXT,
} from '@gateway/toolset-composer';
import { Alert, Card, Code, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { readToolsetsSearch } from '../../addresses/searches.ts';
import { useBackend } from '../../backend/backend.ts';
import { Loaded } from '../../display/loading.tsx';
import { PageLink, PageTitle } from '../../display/page-parts.tsx';
import { ToolComparison } from './compared-tools.tsx';
import { useTools } from '../../queries/catalog.ts';
import { type ToolsetPreview, usePresets, useToolsetExplanation } from '../../queries/toolsets.ts';

const Texts = ({
  title,
  texts,
  color = 'yellow',
}: {
  readonly title: string;
  readonly texts: readonly string[];
  readonly color?: string;
}): ReactNode =>
  texts.length === 0 ? null : (
    <Alert color={color} title={title}>
      <List size="sm">
        {texts.map((text) => (
          <List.Item key={text}>
            <Code>
              <bdi>{text}</bdi>
            </Code>
          </List.Item>
        ))}
      </List>
    </Alert>
  );

const ResolutionFacts = ({ resolution }: { readonly resolution: ResolvedTools }): ReactNode => {
  const text = formatResolution(resolution);
  return (
    <>
      <Text fw={600} size="sm">
        {formatResolvesTo(resolution.total)}
      </Text>
      {text !== undefined && <Text size="sm">{text}</Text>}
      <Texts title={UNMATCHED_TEXT} texts={resolution.unmatched} />
      <Texts
        title="Some selectors select tools after a sign-in"
        color="blue"
        texts={resolution.requiringAuth}
      />
    </>
  );
};

/** The answer of the gateway about a toolset: its size, and the selectors and rules that find nothing. */
const ToolsetFacts = ({ resolution, explanation }: ToolsetPreview): ReactNode => {
  if (resolution.state === 'idle') return null;
  if (resolution.state === 'loading')
    return (
      <Text size="sm" role="status">
        {formatResolution(resolution)}
      </Text>
    );
  if (resolution.state !== 'resolved')
    return (
      <Alert color={resolution.state === 'error' ? 'red' : 'yellow'} role="alert">
        <bdi>{formatResolution(resolution)}</bdi>
      </Alert>
    );
  return (
    <>
      <ResolutionFacts resolution={resolution} />
      <Texts
        title="Some rules find nothing for you"
        texts={explanation?.idleRules.map(formatRule) ?? []}
      />
      <Texts title="This is not an access control" texts={explanation?.notes ?? []} />
    </>
  );
};

const Continuations = ({ toolset }: { readonly toolset: readonly string[] }): ReactNode => {
  const { hasAgentManager } = useBackend().session;
  return (
    <Group gap="md">
      <PageLink to="/catalog" search={{ toolset: [...toolset] }} size="sm">
        Open in the catalog
      </PageLink>
      {hasAgentManager && (
        <PageLink to="/agents/new" search={{ toolset: [...toolset] }} size="sm">
          Create an agent with it
        </PageLink>
      )}
    </Group>
  );
};

/** One of the toolsets that are compared: its selectors, and what they resolve to. */
const ToolsetSide = ({
  label,
  toolset,
  explained,
  onChange,
}: {
  readonly label: string;
  readonly toolset: readonly string[];
  readonly explained: ToolsetPreview;
  readonly onChange: (toolset: readonly string[]) => void;
}): ReactNode => {
  const { cards } = usePresets();
  return (
    <Card withBorder component="section" aria-label={label} aria-busy={explained.isUpdating}>
      <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
        <Title order={2} size="h5">
          {label}
        </Title>
        <ToolsetEditor
          composition={fromToolset(toolset)}
          onChange={({ selectors }) => onChange(selectors)}
          presets={cards}
        />
        <ToolsetFacts {...explained} />
        {toolset.length > 0 && <Continuations toolset={toolset} />}
      </Stack>
    </Card>
  );
};

const route = getRouteApi('/toolsets');

const LABELS = ['First toolset', 'Second toolset'] as const;
const NONE: readonly string[] = [];

/** The user for whom the gateway resolves the toolsets. */
const UserNote = (): ReactNode => {
  const { user } = useBackend().session;
  return (
    <Text size="sm">
      What each toolset selects for{' '}
      {user === undefined ? (
        'you'
      ) : (
        <b>
          <bdi>{user.name}</bdi>
        </b>
      )}
      , and why. Other people can see other tools.
    </Text>
  );
};

/** The sides that the gateway explains, with their names. */
const useExplanations = (
  left: ToolsetPreview,
  right: ToolsetPreview,
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

const isRefused = ({ resolution }: ToolsetPreview): boolean =>
  resolution.state === 'unknown-preset' || resolution.state === 'error';

const Comparison = ({
  left,
  right,
}: {
  readonly left: ToolsetPreview;
  readonly right: ToolsetPreview;
}): ReactNode => {
  const catalog = useTools({});
  const { explanations, labels } = useExplanations(left, right);
  if (explanations.length === 0) return null;
  return (
    <Loaded query={catalog} h={200}>
      {({ tools }) => (
        <>
          {[left, right].some(isRefused) && (
            <Text size="sm">
              This list is that of the {labels.join().toLowerCase()} alone: the other one is
              refused.
            </Text>
          )}
          <ToolComparison tools={tools} explanations={explanations} labels={labels} />
        </>
      )}
    </Loaded>
  );
};

/** Two toolsets next to each other: what each selects for the user, and why a tool is in or out. */
export const ToolsetsPage = (): ReactNode => {
  const { left = NONE, right = NONE } = route.useSearch();
  const navigate = route.useNavigate();
  const [first, second] = [useToolsetExplanation(left), useToolsetExplanation(right)];
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
      <UserNote />
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
