import type { Agent } from '@gateway/agent-manager-client';
import { createAgentDraft, EMPTY_COMPOSITION } from '@gateway/toolset-composer';
import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WizardSearch } from '../../addresses/searches.ts';
import { LoadingSign } from '../../display/loading.tsx';
import { PageTitle } from '../../display/page-parts.tsx';
import { EMPTY_FORM, toChange, toDetails, toForm } from './agent-form.ts';
import { AgentWizard } from './agent-wizard.tsx';
import { useWizardDraft } from './wizard-draft.ts';
import type { WizardTask } from './wizard-state.ts';
import { isProtected, UnavailableAgent } from '../agents/agent-parts.tsx';
import { unwrapAnswer, useAgent, useAgentManager } from '../../queries/agents.ts';

const newRoute = getRouteApi('/agents/new');

const useCreation = (search: WizardSearch): WizardTask => {
  const agentManager = useAgentManager();
  return {
    title: 'New agent',
    isEdit: false,
    draft: useWizardDraft('new', EMPTY_FORM, search),
    isProtected: false,
    toArguments: (form, composition = EMPTY_COMPOSITION) =>
      createAgentDraft(toDetails(form), composition),
    submitLabel: 'Create agent',
    doneText: 'The agent is created.',
    submit: async ({ update: _, force: __, ...draft }) => {
      const { modelConfig = '', toolset = [] } = draft;
      return unwrapAnswer(await agentManager.createAgent({ ...draft, modelConfig, toolset })).agent;
    },
  };
};

/** The wizard that creates an agent. */
export const NewAgentPage = (): ReactNode => {
  const search = newRoute.useSearch();
  const navigate = newRoute.useNavigate();
  return (
    <AgentWizard
      task={useCreation(search)}
      search={search}
      onSearch={(next, { replace }) => void navigate({ search: next, replace })}
    />
  );
};

const editRoute = getRouteApi('/agents/$namespace/$name/edit');

const useChange = (agent: Agent, search: WizardSearch): WizardTask => {
  const agentManager = useAgentManager();
  const { namespace, name, skills } = agent;
  // The fields as they were when the wizard was opened: what another user changes meanwhile stays.
  const [before] = useState(() => toForm(agent));
  return {
    title: `Edit ${agent.displayName ?? name}`,
    isEdit: true,
    draft: useWizardDraft(`${namespace}/${name}`, before, search),
    ...(agent.toolset !== undefined && { declared: agent.toolset }),
    isProtected: isProtected(agent),
    toArguments: (form, composition) => {
      const change = toChange({ before, skills }, form);
      const input = composition === undefined ? change : createAgentDraft(change, composition);
      return { ...input, update: true };
    },
    submitLabel: 'Save changes',
    doneText: `The changes of the agent ${namespace}/${name} are saved.`,
    submit: async ({ update: _, ...input }) =>
      unwrapAnswer(await agentManager.updateAgent({ ...input, namespace, name })).agent,
  };
};

const Edit = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const search = editRoute.useSearch();
  const navigate = editRoute.useNavigate();
  return (
    <AgentWizard
      task={useChange(agent, search)}
      search={search}
      onSearch={(next, { replace }) => void navigate({ search: next, replace })}
    />
  );
};

/** The wizard that changes an agent. */
export const EditAgentPage = (): ReactNode => {
  const name = editRoute.useParams();
  const { data, error } = useAgent(name);
  if (data !== undefined) return <Edit key={`${data.namespace}/${data.name}`} agent={data} />;
  if (error !== null) return <UnavailableAgent name={name} error={error} />;
  return (
    <Stack>
      <PageTitle title={`Edit ${name.name}`} />
      <LoadingSign label="Loading the agent" />
    </Stack>
  );
};
