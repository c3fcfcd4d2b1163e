import type { Agent, AgentManifests } from '@gateway/agent-manager-client';
import { formatReleaseFile } from '@gateway/toolset-composer';
import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from '../../display/loading.tsx';
import { PageLink, PageTitle, StateBadge } from '../../display/page-parts.tsx';
import { downloadFile, YamlText } from '../../display/text-blocks.tsx';
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

interface StateLook {
  readonly text: string;
  readonly color: string;
  /** Explains a state that is not clear without more words. */
  readonly title?: string;
}

const UNKNOWN: StateLook = {
  text: 'Unknown',
  color: 'gray',
  title:
    'Nothing reports whether this agent is ready: it has just been created, or agent-manager keeps releases without a cluster that runs them.',
};

const toState = ({ ready, helmRelease }: Agent): StateLook => {
  if (helmRelease?.deleting === true) return { text: 'Being deleted', color: 'orange' };
  if (helmRelease?.suspended === true) return { text: 'Suspended', color: 'orange' };
  if (ready === null) return UNKNOWN;
  return ready ? { text: 'Ready', color: 'teal' } : { text: 'Not ready', color: 'red' };
};

/** The state of an agent in words. */
export const AgentState = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { text, ...look } = toState(agent);
  return (
    <StateBadge miw="max-content" {...look}>
      {text}
    </StateBadge>
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
