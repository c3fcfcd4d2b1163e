import type { Agent } from '@gateway/agent-manager-client';
import { SignInOffers, ToolsetCard } from '@gateway/portal-ui';
import {
  toDeclaredAccess,
  type CatalogSection,
  type DeclaredAccess,
  type ResolutionState,
  listServersToSignIn,
} from '@gateway/toolset-composer';
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Confirmation } from '../../display/confirmation.tsx';
import { Failure, Loaded, LoadingSign, RevealAfter } from '../../display/loading.tsx';
import { showNotice } from '../../display/notices.tsx';
import { DetailTabs } from '../../display/detail-tabs.tsx';
import {
  Fact,
  PageLink,
  PageTitle,
  RelativeTime,
  renderToolLink,
  TextList,
} from '../../display/page-parts.tsx';
import { LongText } from '../../display/text-blocks.tsx';
import {
  AgentState,
  formatSkill,
  isProtected,
  ReleaseView,
  UnavailableAgent,
} from './agent-parts.tsx';
import { MANAGED, useUnknownSelectors } from './agent-facts.ts';
import { AgentUsage } from './agent-usage.tsx';
import { AgentStatus } from './agent-status.tsx';
import {
  type AgentName,
  unwrapAnswer,
  useAgent,
  useAgentManager,
  useAgentRelease,
} from '../../queries/agents.ts';
import { useCatalog } from '../../queries/catalog.ts';
import { useStartSignIn } from '../../queries/sign-in.ts';
import { useResolution } from '../../queries/toolsets.ts';
import { useUsage } from '../../queries/usage.ts';

/** The toolset of an agent for the user who reads the page. */
interface ResolvedAgentToolset {
  readonly declared: DeclaredAccess;
  readonly resolution: ResolutionState;
  readonly sections: readonly CatalogSection[];
  /** Everything is known, or cannot be known now. */
  readonly isSettled: boolean;
}

/** Resolves the toolset of an agent for the user who reads the page. */
const useAgentToolset = (agent: Agent): ResolvedAgentToolset => {
  const declared = toDeclaredAccess(agent);
  const resolution = useResolution(declared.access === 'toolset' ? declared.toolset : []);
  const { data: sections = [], isPending } = useCatalog();
  const isSettled = resolution.state !== 'loading' && !isPending;
  return { declared, resolution, sections, isSettled };
};

/** The selectors of a toolset that name what does not exist. */
const Unknown = ({ toolset }: { readonly toolset: readonly string[] }): ReactNode => {
  const unknown = useUnknownSelectors(toolset);
  return unknown.length === 0 ? null : (
    <Alert color="red" title="It names presets or servers that do not exist">
      <TextList texts={unknown} />
    </Alert>
  );
};

/** The toolset of an agent, resolved for the user who reads the page. */
const AgentToolset = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { declared, resolution, sections } = useAgentToolset(agent);
  const onSignIn = useStartSignIn();
  const selectors = resolution.state === 'resolved' ? resolution.requiringAuth : [];
  return (
    <ToolsetCard declared={declared} resolution={resolution} renderName={renderToolLink}>
      <Unknown toolset={agent.toolset ?? []} />
      <SignInOffers servers={listServersToSignIn(sections, selectors)} onSignIn={onSignIn} />
      {declared.access === 'toolset' && (
        <PageLink to="/toolsets" search={{ left: [...declared.toolset] }} size="sm">
          Why a tool is in or out
        </PageLink>
      )}
    </ToolsetCard>
  );
};

const Skills = ({ skills }: Pick<Agent, 'skills'>): ReactNode => {
  const images = skills?.refs ?? [];
  const folders = (skills?.gitRefs ?? []).map(formatSkill);
  const all = [...images, ...folders];
  if (all.length === 0) return 'none';
  return <TextList texts={all} />;
};

const DAYS_30 = 720;

/** When a tool was last called with the toolset of an agent. */
const LastUse = ({ agent: { toolset } }: { readonly agent: Agent }): ReactNode => {
  const { data } = useUsage({ hours: DAYS_30, by: 'tool', toolset: (toolset ?? []).join(',') });
  const { lastUsed } = data?.total ?? {};
  if (toolset === undefined || data === undefined) return 'unknown';
  return lastUsed === undefined ? 'not in 30 days' : <RelativeTime at={lastUsed} />;
};

/** The fields of an agent other than its toolset. */
const AgentFacts = ({ agent }: { readonly agent: Agent }): ReactNode => (
  <>
    {agent.description !== undefined && (
      <Fact size="sm" label="Description">
        <LongText text={agent.description} />
      </Fact>
    )}
    <Fact size="sm" label="Model">
      <bdi>{agent.modelConfig ?? 'default'}</bdi>
    </Fact>
    <Fact size="sm" label="Runtime">
      {agent.runtime ?? 'default'}
    </Fact>
    <Fact size="sm" label="Managed by">
      {MANAGED[agent.managed]}
    </Fact>
    <Fact size="sm" label="Last use">
      <LastUse agent={agent} />
    </Fact>
    <Fact size="sm" label="Chart">
      {agent.helmRelease?.chartVersion ?? 'unknown'}
    </Fact>
    <Fact size="sm" label="Skills">
      <Skills skills={agent.skills} />
    </Fact>
    {agent.systemMessage !== undefined && (
      <Fact size="sm" label="System message">
        <LongText text={agent.systemMessage} />
      </Fact>
    )}
  </>
);

/** The release of an agent as YAML. */
const AgentRelease = ({ name }: { readonly name: AgentName }): ReactNode => (
  <Loaded query={useAgentRelease(name)} label="Loading the release">
    {({ manifests, errors }) =>
      manifests === undefined ? (
        errors?.map((text) => <Text key={text}>{text}</Text>)
      ) : (
        <ReleaseView name={name.name} manifests={manifests} />
      )
    }
  </Loaded>
);

const useDeletion = ({ namespace, name }: Agent) => {
  const agentManager = useAgentManager();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (force: boolean) =>
      unwrapAnswer(
        await agentManager.deleteAgent({ namespace, name, ...(force && { force: true }) }),
      ),
    onSuccess: async () => {
      await navigate({ to: '/agents' });
      showNotice(`The agent ${namespace}/${name} is deleted.`);
      queries.removeQueries({ queryKey: ['agents', namespace, name] });
      await queries.invalidateQueries({ queryKey: ['agents'] });
    },
  });
};

const DeleteQuestion = ({
  agent,
  onCancel,
}: {
  readonly agent: Agent;
  readonly onCancel: () => void;
}): ReactNode => {
  const deletion = useDeletion(agent);
  const [force, setForce] = useState(false);
  return (
    <Confirmation
      title="Delete this agent?"
      confirm="Delete"
      mutation={deletion}
      onConfirm={() => deletion.mutate(force)}
      onCancel={onCancel}
    >
      <Text>
        The agent <bdi>{`${agent.namespace}/${agent.name}`}</bdi> and its release are deleted. This
        cannot be undone.
      </Text>
      {isProtected(agent) && (
        <Checkbox
          label="Delete it although a Git repository, or nothing, manages it or it is suspended"
          checked={force}
          onChange={({ currentTarget }) => setForce(currentTarget.checked)}
        />
      )}
    </Confirmation>
  );
};

/** Deletes an agent after a question. */
const DeleteAgent = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="light" color="red" onClick={open}>
        Delete
      </Button>
      {opened && <DeleteQuestion agent={agent} onCancel={close} />}
    </>
  );
};

const route = getRouteApi('/agents/$namespace/$name');

const Head = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { namespace, name, displayName } = agent;
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4} miw={0}>
        <Group gap="sm">
          <PageTitle title={displayName ?? name} kind="Agent" />
          <AgentState agent={agent} />
        </Group>
        <Text size="sm">
          <bdi>{`${namespace}/${name}`}</bdi>
        </Text>
      </Stack>
      <Group gap="xs">
        <Button
          renderRoot={(props) => (
            <Link to="/agents/$namespace/$name/edit" params={{ namespace, name }} {...props} />
          )}
        >
          Edit
        </Button>
        <DeleteAgent agent={agent} />
      </Group>
    </Group>
  );
};

const Overview = ({ agent }: { readonly agent: Agent }): ReactNode => (
  <Stack>
    <AgentToolset agent={agent} />
    <RevealAfter isReady={useAgentToolset(agent).isSettled}>
      <AgentStatus name={agent} />
    </RevealAfter>
  </Stack>
);

const Usage = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const { declared, resolution } = useAgentToolset(agent);
  if (declared.access !== 'toolset')
    return <Text size="sm">Calls of an agent are known by its toolset, and it has none.</Text>;
  return (
    <AgentUsage agent={agent} tools={resolution.state === 'resolved' ? resolution.tools : []} />
  );
};

const Parts = ({ agent }: { readonly agent: Agent }): ReactNode => (
  <Stack>
    <Head agent={agent} />
    <DetailTabs
      facts={<AgentFacts agent={agent} />}
      tabs={[
        {
          id: 'overview',
          label: 'Overview',
          render: () => <Overview agent={agent} />,
        },
        { id: 'usage', label: 'Usage', render: () => <Usage agent={agent} /> },
        { id: 'definition', label: 'Definition', render: () => <AgentRelease name={agent} /> },
      ]}
    />
  </Stack>
);

/** The page of one agent: its toolset, fields, status and release. */
export const AgentPage = (): ReactNode => {
  const name = route.useParams();
  const { data, error } = useAgent(name);
  return (
    <Stack>
      <PageLink to="/agents" size="sm">
        All agents
      </PageLink>
      {data !== undefined && (
        <>
          <Failure error={error} />
          <Parts agent={data} />
        </>
      )}
      {data === undefined && error !== null && <UnavailableAgent name={name} error={error} />}
      {data === undefined && error === null && (
        <>
          <PageTitle title={name.name} kind="Agent" />
          <LoadingSign label="Loading the agent" />
        </>
      )}
    </Stack>
  );
};
