import { Alert, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ResolvedTools } from '@gateway/portal-ui';
import { selectorOfPreset, type CatalogTool, type PresetCard } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { InOrder } from '../../display/in-order.tsx';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-title.tsx';
import { PageLink } from '../../addresses/page-link.tsx';
import { useBackend } from '../../backend/backend-context.ts';
import { useAgents } from '../../queries/use-agents.ts';
import { usePresets } from '../../queries/use-presets.ts';
import { useResolution } from '../../queries/use-resolution.ts';
import { PageSection as Section } from '../../display/page-section.tsx';
import { ComposeLink } from './compose-link.tsx';
import { agentsWithPreset } from './preset-agents.ts';
import { PresetRuleList } from './preset-rule-list.tsx';
import { usePresetRules } from './use-preset.ts';

const route = getRouteApi('/presets/$preset');

const Head = ({
  name,
  preset,
}: {
  readonly name: string;
  readonly preset: PresetCard | undefined;
}): ReactNode => (
  <Group justify="space-between" align="flex-start">
    <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
      <PageTitle title={preset?.label ?? name} kind="Preset" />
      <Text size="xs" c="dimmed">
        <bdi>{selectorOfPreset(name)}</bdi>
        {preset !== undefined && ` · ${preset.origin}`}
      </Text>
      <Text component="bdi" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {preset?.description}
      </Text>
    </Stack>
    {preset !== undefined && <ComposeLink selector={preset.selector} />}
  </Group>
);

const Agents = ({ name }: { readonly name: string }): ReactNode => {
  const { data, error } = useAgents();
  if (data === undefined && error === null) return <LoadingSign label="Loading the agents" />;
  if (error !== null)
    return (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  const agents = agentsWithPreset(data, name);
  if (agents.length === 0) return <Text size="sm">No agent that you can read names it.</Text>;
  return (
    <List size="sm" aria-label="Agents that name it" style={{ overflowWrap: 'anywhere' }}>
      {agents.map(({ namespace, name: agent, displayName }) => (
        <List.Item key={`${namespace}/${agent}`}>
          <PageLink to="/agents/$namespace/$name" params={{ namespace, name: agent }} inherit>
            <bdi>{displayName ?? agent}</bdi>
          </PageLink>
        </List.Item>
      ))}
    </List>
  );
};

const toolLink = ({ name }: CatalogTool): ReactNode => (
  <PageLink to="/catalog/$tool" params={{ tool: name }} inherit>
    {name}
  </PageLink>
);

const Tools = ({ name }: { readonly name: string }): ReactNode => {
  const resolution = useResolution([selectorOfPreset(name)]);
  return (
    <Section title="Tools">
      <PageLink to="/toolsets" search={{ left: [selectorOfPreset(name)] }} size="sm">
        Why a tool is in or out
      </PageLink>
      <ResolvedTools resolution={resolution} renderName={toolLink} />
    </Section>
  );
};

const Parts = ({ name }: { readonly name: string }): ReactNode => {
  const { hasAgentManager } = useBackend().session;
  const isPending = [usePresetRules(name).isPending, useAgents().isPending].includes(true);
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: hasAgentManager ? 2 : 1 }}>
        <Section title="Rules">
          <PresetRuleList name={name} />
        </Section>
        {hasAgentManager && (
          <Section title="Agents">
            <Agents name={name} />
          </Section>
        )}
      </SimpleGrid>
      <InOrder isReady={!isPending}>
        <Tools name={name} />
      </InOrder>
    </>
  );
};

/** One preset: its rules, its tools for the person who reads the page, and the agents that name it. */
export const PresetPage = (): ReactNode => {
  const { preset: name } = route.useParams();
  const { cards, isPending } = usePresets();
  return (
    <Stack>
      <PageLink to="/presets" size="sm">
        All presets
      </PageLink>
      <Head name={name} preset={cards.find((card) => card.name === name)} />
      <InOrder isReady={!isPending} label="Loading the preset">
        <Parts name={name} />
      </InOrder>
    </Stack>
  );
};
