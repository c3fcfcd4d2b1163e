import type { Agent, AgentManifests } from '@gateway/agent-manager-client';
import {
  CARD_TEXTS,
  type CatalogServer,
  createToolsetCard,
  formatReleaseFile,
  listUnknownPresets,
  parseResolution,
  type PresetCards,
  toDeclaredAccess,
} from '@gateway/toolset-composer';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../../display/loading.tsx';
import { PageLink, PageTitle, StateBadge } from '../../display/page-parts.tsx';
import { downloadFile, YamlText } from '../../display/text-blocks.tsx';
import { type AgentName, RefusalError } from '../../queries/agents.ts';
import { useServerList } from '../../queries/catalog.ts';
import { usePresets } from '../../queries/toolsets.ts';

/** Returns whether agent-manager writes or deletes an agent only with `force`. @spec §4.4 */
export const isProtected = ({
  managed,
  helmRelease,
}: Pick<Agent, 'managed' | 'helmRelease'>): boolean =>
  managed !== 'helmrelease' || helmRelease?.suspended === true;

type SkillRef = NonNullable<NonNullable<Agent['skills']>['gitRefs']>[number];

/** Returns the name of a skill in a Git repository, and where it is. */
export const formatSkill = ({ url, path, ref, name }: SkillRef): string =>
  `${name ?? path ?? url} (${[url, path, ref].filter(Boolean).join(' · ')})`;

interface StateLook {
  readonly text: string;
  readonly color: string;
  /** Explains a state that is not clear without more words. */
  readonly title?: string;
}

/** Returns the state of an agent, the same in lists and on its page. */
export const toAgentState = ({ ready, exists, helmRelease }: Agent): StateLook => {
  if (helmRelease?.deleting === true) return { text: 'Being deleted', color: 'orange' };
  if (helmRelease?.suspended === true) return { text: 'Suspended', color: 'orange' };
  if (ready !== null)
    return ready ? { text: 'Ready', color: 'teal' } : { text: 'Not ready', color: 'red' };
  return exists
    ? { text: 'Unknown', color: 'gray', title: 'Nothing reports whether this agent runs.' }
    : {
        text: 'Not installed',
        color: 'gray',
        title: 'Its release is stored, and no cluster has installed it yet.',
      };
};

/** The state of an agent in words. */
export const AgentState = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { text, ...look } = toAgentState(agent);
  return (
    <StateBadge miw="max-content" {...look}>
      {text}
    </StateBadge>
  );
};

/** What manages an agent. */
export const MANAGED: Readonly<Record<Agent['managed'], string>> = {
  helmrelease: 'agent-manager',
  gitops: 'a Git repository',
  none: 'nothing: it has no release',
};

const SERVER_PREFIX = 'server:';

/**
 * Returns the selectors of a toolset that name a preset, or a server or family, that does not exist. Names are known when the gateway has
 * answered.
 */
export const listUnknownSelectors = (
  toolset: readonly string[],
  presets: PresetCards,
  servers: readonly CatalogServer[],
): readonly string[] => {
  const known = new Set(servers.flatMap(({ name, family }) => [name, family]));
  return [
    ...listUnknownPresets(toolset, presets),
    ...toolset.filter(
      (selector) =>
        servers.length > 0 &&
        selector.startsWith(SERVER_PREFIX) &&
        !known.has(selector.slice(SERVER_PREFIX.length)),
    ),
  ];
};

/** Reads which selectors of a toolset name something that does not exist. */
export const useUnknownSelectors = (toolset: readonly string[]): readonly string[] =>
  listUnknownSelectors(toolset, usePresets(), useServerList());

const IDLE = parseResolution({ kind: 'idle' });

/** The access that an agent declares, in one line: no tools, a warning, or its selectors; those that name nothing are marked. */
export const AgentAccess = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const unknown = useUnknownSelectors(agent.toolset ?? []);
  const card = createToolsetCard(toDeclaredAccess(agent), IDLE);
  if (card.kind === 'no-tools') return <Text size="sm">{CARD_TEXTS.noTools}</Text>;
  if (card.kind === 'implicit-full-access')
    return <StateBadge color="red">{CARD_TEXTS.implicitFullAccess}</StateBadge>;
  return (
    <Group gap={4} wrap="nowrap">
      {card.isFullAccess && <StateBadge color="red">{CARD_TEXTS.fullAccess}</StateBadge>}
      {card.chips.map(({ selector }) =>
        unknown.includes(selector) ? (
          <StateBadge key={selector} color="red" title="There is no such preset or server">
            <bdi>{`${selector} does not exist`}</bdi>
          </StateBadge>
        ) : (
          <Badge
            key={selector}
            variant="default"
            tt="none"
            ff="monospace"
            maw={260}
            title={selector}
          >
            <bdi>{selector}</bdi>
          </Badge>
        ),
      )}
    </Group>
  );
};

/** A composed release as YAML, to read, copy or download for a GitOps repository. */
export const ReleaseView = ({
  name,
  manifests,
}: {
  readonly name: string;
  readonly manifests: AgentManifests;
}): ReactNode => {
  const text = formatReleaseFile(manifests);
  return (
    <YamlText
      label="Release as YAML"
      text={text}
      action={
        <Button size="xs" variant="default" onClick={() => downloadFile(`${name}.yaml`, text)}>
          Download YAML
        </Button>
      }
    />
  );
};

/** The page of an agent that cannot be read: it does not exist, or agent-manager says why. */
export const UnavailableAgent = ({
  name: { namespace, name },
  error,
}: {
  readonly name: AgentName;
  readonly error: Error;
}): ReactNode => {
  if (error instanceof RefusalError && error.code === 'not_found')
    return (
      <Stack>
        <PageTitle title={`There is no agent ${namespace}/${name}`} />
        <Text>
          It was deleted, or the address is not correct. Continue with{' '}
          <PageLink to="/agents">all agents</PageLink>, or{' '}
          <PageLink to="/agents/new">create an agent</PageLink>.
        </Text>
      </Stack>
    );
  return (
    <Stack>
      <PageTitle title={name} kind="Agent" />
      <Failure error={error} />
    </Stack>
  );
};
