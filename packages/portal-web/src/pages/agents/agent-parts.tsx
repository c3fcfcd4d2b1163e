import type { Agent, AgentManifests } from '@gateway/agent-manager-client';
import {
  CARD_TEXTS,
  createToolsetCard,
  formatReleaseFile,
  parseResolution,
  toDeclaredAccess,
} from '@gateway/toolset-composer';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../../display/loading.tsx';
import { PageLink, PageTitle, StateBadge } from '../../display/page-parts.tsx';
import { downloadFile, YamlText } from '../../display/text-blocks.tsx';
import { toAgentState, useUnknownSelectors } from './agent-facts.ts';
import { type AgentName, RefusalError } from '../../queries/agents.ts';

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

/** The state of an agent in words. */
export const AgentState = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { text, ...look } = toAgentState(agent);
  return (
    <StateBadge miw="max-content" {...look}>
      {text}
    </StateBadge>
  );
};

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
      {unknown.map((selector) => (
        <StateBadge key={selector} color="red" title="There is no such preset or server">
          <bdi>{`${selector} does not exist`}</bdi>
        </StateBadge>
      ))}
      {card.chips
        .filter(({ selector }) => !unknown.includes(selector))
        .map(({ selector }) => (
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
        ))}
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
