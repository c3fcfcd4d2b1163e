import type { PresetCard } from '@gateway/toolset-composer';
import { Alert, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadingArea, RevealAfter } from '../../display/loading.tsx';
import { formatCount, PageLink, PageTitle } from '../../display/page-parts.tsx';
import {
  ComposeLink,
  filterAgentsByPreset,
  listUnknownPresets,
  useToolCount,
} from './preset-facts.tsx';
import { useAgents } from '../../queries/agents.ts';
import { usePresets } from '../../queries/toolsets.ts';

/** The height of a line, so that nothing moves when the count is known. */
const LINE_PX = 20;

const formatAgents = (count: number): string =>
  `${formatCount(count, 'agent')} ${count === 1 ? 'names' : 'name'} it`;

const Count = ({ selector }: { readonly selector: string }): ReactNode => {
  const { data: resolution, isPending } = useToolCount(selector);
  if (isPending) return <LoadingArea h={LINE_PX} w={140} label="Counting the tools" />;
  return (
    <Text size="sm" h={LINE_PX}>
      {resolution?.state === 'resolved'
        ? `${formatCount(resolution.total, 'tool')} for you now`
        : 'Not known how many tools'}
    </Text>
  );
};

const Preset = ({
  preset,
  agents,
}: {
  readonly preset: PresetCard;
  /** The number of agents that name it; absent where there is no agent-manager. */
  readonly agents: number | undefined;
}): ReactNode => (
  <Card withBorder component="article" aria-label={preset.label}>
    <Stack gap="xs" h="100%">
      <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
        <PageLink to="/presets/$preset" params={{ preset: preset.name }} inherit>
          <bdi>{preset.label}</bdi>
        </PageLink>
      </Title>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{preset.selector}</bdi>
        {` · ${preset.origin}`}
      </Text>
      {preset.description !== preset.label && (
        <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{preset.description}</bdi>
        </Text>
      )}
      {preset.isFullAccess && (
        <Alert color="red" py={4} title="Selects every tool of the gateway" />
      )}
      <Stack gap={4} mt="auto">
        <Count selector={preset.selector} />
        <Group justify="space-between">
          <Text size="sm">{agents !== undefined && formatAgents(agents)}</Text>
          <ComposeLink selector={preset.selector} />
        </Group>
      </Stack>
    </Stack>
  </Card>
);

/** The colour of links has too little contrast on the colour of an alert. */
const IN_ALERT = { size: 'sm', c: 'inherit', underline: 'always' } as const;

const Unknown = ({ names }: { readonly names: readonly string[] }): ReactNode =>
  names.length === 0 ? null : (
    <Alert color="red" title="Agents name presets that do not exist">
      <Group gap="xs">
        {names.map((name) => (
          <PageLink key={name} to="/presets/$preset" params={{ preset: name }} {...IN_ALERT}>
            <bdi>{name}</bdi>
          </PageLink>
        ))}
      </Group>
    </Alert>
  );

const NothingDefined = (): ReactNode => (
  <Text size="sm">
    This installation defines no preset of its own. An administrator adds them under{' '}
    <code>toolsetPresets</code> in the configuration of the gateway.
  </Text>
);

/** The presets of the gateway: the built-in ones, and those of this installation. */
export const PresetsPage = (): ReactNode => {
  const { cards, source, isPending } = usePresets();
  const { data: agents, isLoading } = useAgents();
  const isOwn = ({ origin }: PresetCard): boolean => origin !== 'built in';
  const sorted = [...cards.filter((card) => !isOwn(card)), ...cards.filter(isOwn)];
  return (
    <Stack>
      <PageTitle title="Presets" />
      <Text size="sm">A preset is a selection of tools with a name, which toolsets use.</Text>
      <RevealAfter isReady={!isPending && !isLoading} label="Loading the presets">
        {source === 'gateway' && agents !== undefined && (
          <Unknown names={listUnknownPresets(agents, cards)} />
        )}
        {source === 'gateway' && !cards.some(isOwn) && <NothingDefined />}
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {sorted.map((preset) => (
            <Preset
              key={preset.name}
              preset={preset}
              agents={agents && filterAgentsByPreset(agents, preset.name).length}
            />
          ))}
        </SimpleGrid>
      </RevealAfter>
    </Stack>
  );
};
