import { ResolvedTools } from '@gateway/portal-ui';
import { type PresetCard, toPresetSelector } from '@gateway/toolset-composer';
import { Alert, Button, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { Loaded, LoadingSign, RevealAfter } from '../../display/loading.tsx';
import { PageLink, PageSection, PageTitle, renderToolLink } from '../../display/page-parts.tsx';
import {
  ComposeLink,
  filterAgentsByPreset,
  type PresetRuleText,
  usePresetDefinition,
  usePresetRules,
} from './preset-facts.tsx';
import { useAgents } from '../../queries/agents.ts';
import { usePresets, useResolution } from '../../queries/toolsets.ts';

/** Forms are large and loaded when they are needed. */
const PresetEditor = lazy(async () => ({
  default: (await import('./preset-editor.tsx')).PresetEditor,
}));

const Subject = ({ rule: { subject, preset } }: { readonly rule: PresetRuleText }): ReactNode => {
  if (preset !== undefined)
    return (
      <PageLink to="/presets/$preset" params={{ preset }} inherit>
        <bdi>{preset}</bdi>
      </PageLink>
    );
  return (
    <Text span ff="monospace" size="sm">
      <bdi>{subject}</bdi>
    </Text>
  );
};

const Rules = ({
  title,
  rules,
}: {
  readonly title: string;
  readonly rules: readonly PresetRuleText[];
}): ReactNode =>
  rules.length === 0 ? null : (
    <>
      <Title order={3} size="h6">
        {title}
      </Title>
      <List size="sm" aria-label={title} style={{ overflowWrap: 'anywhere' }}>
        {rules.map((rule, at) => (
          <List.Item key={at}>
            {rule.text} {rule.subject !== undefined && <Subject rule={rule} />}
          </List.Item>
        ))}
      </List>
    </>
  );

/** The rules of a preset: what it includes, and what it leaves out of that. */
const PresetRuleList = ({ name }: { readonly name: string }): ReactNode => {
  const { data, error } = usePresetRules(name);
  if (error !== null)
    return (
      <Alert color="yellow" role="alert" title="You cannot read the rules">
        {error.message}
      </Alert>
    );
  if (data === undefined) return <LoadingSign label="Loading the rules" />;
  if (data === null)
    return <Text size="sm">The configuration of the gateway has no such preset.</Text>;
  return (
    <>
      {data.include.length === 0 && <Text size="sm">It selects nothing.</Text>}
      <Rules title="Includes" rules={data.include} />
      <Rules title="Without" rules={data.exclude} />
    </>
  );
};

const route = getRouteApi('/presets/$preset');

const Head = ({
  name,
  preset,
  onEdit,
}: {
  /** Absent for a preset that cannot be edited. */
  readonly onEdit: (() => void) | undefined;
  readonly name: string;
  readonly preset: PresetCard | undefined;
}): ReactNode => (
  <Group justify="space-between" align="flex-start">
    <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
      <PageTitle title={preset?.label ?? name} kind="Preset" />
      <Text size="xs" c="dimmed">
        <bdi>{toPresetSelector(name)}</bdi>
        {preset !== undefined && ` · ${preset.origin}`}
      </Text>
      <Text component="bdi" size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {preset?.description}
      </Text>
    </Stack>
    <Group gap="xs">
      {preset !== undefined && <ComposeLink selector={preset.selector} />}
      {onEdit !== undefined && (
        <Button size="xs" onClick={onEdit}>
          Edit
        </Button>
      )}
    </Group>
  </Group>
);

const Agents = ({ name }: { readonly name: string }): ReactNode => (
  <Loaded query={useAgents()} label="Loading the agents">
    {(all) => {
      const agents = filterAgentsByPreset(all, name);
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
    }}
  </Loaded>
);

const Tools = ({ name }: { readonly name: string }): ReactNode => {
  const resolution = useResolution([toPresetSelector(name)]);
  return (
    <PageSection title="Tools">
      <PageLink to="/toolsets" search={{ left: [toPresetSelector(name)] }} size="sm">
        Why a tool is in or out
      </PageLink>
      <ResolvedTools resolution={resolution} renderName={renderToolLink} />
    </PageSection>
  );
};

const Parts = ({ name }: { readonly name: string }): ReactNode => {
  const { hasAgentManager } = useBackend().session;
  const isPending = [usePresetRules(name).isPending, useAgents().isPending].includes(true);
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: hasAgentManager ? 2 : 1 }}>
        <PageSection title="Rules">
          <PresetRuleList name={name} />
        </PageSection>
        {hasAgentManager && (
          <PageSection title="Agents">
            <Agents name={name} />
          </PageSection>
        )}
      </SimpleGrid>
      <RevealAfter isReady={!isPending}>
        <Tools name={name} />
      </RevealAfter>
    </>
  );
};

/** One preset: its rules, its tools for the user who reads the page, and the agents that name it. */
export const PresetPage = (): ReactNode => {
  const { preset: name } = route.useParams();
  const { cards, isPending } = usePresets();
  const definition = usePresetDefinition(name);
  const [isEditing, setEditing] = useState(false);
  const end = (): void => setEditing(false);
  return (
    <Stack>
      <PageLink to="/presets" size="sm">
        All presets
      </PageLink>
      <Head
        name={name}
        preset={cards.find((card) => card.name === name)}
        onEdit={definition === undefined || isEditing ? undefined : () => setEditing(true)}
      />
      {isEditing && definition !== undefined ? (
        <Suspense fallback={<LoadingSign label="Loading the fields" />}>
          <PresetEditor preset={definition} onEnd={end} onCancel={end} />
        </Suspense>
      ) : (
        <RevealAfter isReady={!isPending} label="Loading the preset">
          <Parts name={name} />
        </RevealAfter>
      )}
    </Stack>
  );
};
