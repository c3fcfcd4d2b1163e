import type { PresetCard } from '@gateway/toolset-composer';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { type Column, DataTable, type Filter } from '../../display/data-table.tsx';
import { LoadingArea, RevealAfter } from '../../display/loading.tsx';
import { formatCount, PageHead, PageLink, StateBadge } from '../../display/page-parts.tsx';
import { filterAgentsByPreset, listUnknownPresets, useToolCount } from './preset-facts.tsx';
import { useAgents } from '../../queries/agents.ts';
import { usePresets } from '../../queries/toolsets.ts';

/** The height of a line, so that nothing moves when the count is known. */
const LINE_PX = 20;

const Count = ({ selector }: { readonly selector: string }): ReactNode => {
  const { data: resolution, isPending } = useToolCount(selector);
  if (isPending) return <LoadingArea h={LINE_PX} w={60} label="Counting the tools" />;
  return resolution?.state === 'resolved' ? formatCount(resolution.total, 'tool') : 'not known';
};

/** A preset with the number of agents that name it; absent where there is no agent-manager. */
interface ListedPreset extends PresetCard {
  readonly agents: number | undefined;
}

const COLUMNS: readonly Column<ListedPreset>[] = [
  {
    id: 'name',
    label: 'Name',
    w: 260,
    render: ({ name, label, selector }) => (
      <>
        <PageLink to="/presets/$preset" params={{ preset: name }} size="sm">
          <bdi>{label}</bdi>
        </PageLink>
        <Text size="xs" c="dimmed" truncate>
          <bdi>{selector}</bdi>
        </Text>
      </>
    ),
    sortBy: ({ label }) => label,
  },
  {
    id: 'tools',
    label: 'Tools for you',
    w: 120,
    render: ({ selector }) => <Count selector={selector} />,
  },
  {
    id: 'agents',
    label: 'Agents',
    w: 110,
    render: ({ agents }) => agents !== undefined && formatCount(agents, 'agent'),
    sortBy: ({ agents }) => agents,
  },
  {
    id: 'origin',
    label: 'Origin',
    w: 160,
    isWide: true,
    render: ({ origin }) => origin,
    sortBy: ({ origin }) => origin,
  },
  {
    id: 'description',
    label: 'Description',
    isWide: true,
    render: ({ description, isFullAccess }) => (
      <Group gap="xs" wrap="nowrap">
        {isFullAccess && <StateBadge color="red">Every tool of the gateway</StateBadge>}
        <Text size="sm" truncate title={description}>
          <bdi>{description}</bdi>
        </Text>
      </Group>
    ),
  },
];

const FILTERS: readonly Filter<ListedPreset>[] = [
  { key: 'origin', label: 'Origin', valuesOf: ({ origin }) => [origin] },
];

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

const isOwn = ({ origin }: PresetCard): boolean => origin !== 'built in';

/** The presets of the gateway: the built-in ones, and those of this installation. */
export const PresetsPage = (): ReactNode => {
  const { cards, source, isPending } = usePresets();
  const { data: agents, isLoading } = useAgents();
  const { hasAgentManager } = useBackend().session;
  const navigate = useNavigate();
  const presets = useMemo(
    () =>
      [...cards.filter((card) => !isOwn(card)), ...cards.filter(isOwn)].map((card) => ({
        ...card,
        agents: agents && filterAgentsByPreset(agents, card.name).length,
      })),
    [cards, agents],
  );
  return (
    <Stack>
      <PageHead
        title="Presets"
        text="A preset is a selection of tools with a name, which toolsets use."
      >
        <Button component={Link} to="/presets/new" size="xs">
          New preset
        </Button>
      </PageHead>
      <RevealAfter isReady={!isPending && !isLoading} label="Loading the presets">
        {source === 'gateway' && agents !== undefined && (
          <Unknown names={listUnknownPresets(agents, cards)} />
        )}
        {source === 'gateway' && !cards.some(isOwn) && (
          <Text size="sm">This installation defines no preset of its own.</Text>
        )}
        <DataTable
          label="Presets"
          noun="preset"
          records={presets}
          recordKey={({ name }) => name}
          columns={COLUMNS}
          filters={FILTERS}
          searchLabel="Find presets"
          textOf={({ name, label, description }) => `${name} ${label} ${description}`}
          listActions={({ selector }) => [
            ...(hasAgentManager
              ? [
                  {
                    label: 'Compose with this preset',
                    onClick: () =>
                      void navigate({
                        to: '/agents/new',
                        search: { step: 'Tools', toolset: [selector] },
                      }),
                  },
                ]
              : []),
            {
              label: 'Why a tool is in or out',
              onClick: () => void navigate({ to: '/toolsets', search: { left: [selector] } }),
            },
          ]}
        />
      </RevealAfter>
    </Stack>
  );
};
