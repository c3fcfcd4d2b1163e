import { Stack } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { agentDraft } from '@gateway/toolset-composer';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { LoadingSign } from '../../display/loading.tsx';
import type { WizardSearch } from '../../addresses/wizard-search.ts';
import { PageTitle } from '../../display/page-title.tsx';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';
import { isProtected } from '../agents/is-protected.ts';
import { UnavailableAgent } from '../agents/unavailable-agent.tsx';
import { useAgent } from '../agents/use-agent.ts';
import { changeOfForm, formOfAgent } from './agent-form.ts';
import { AgentWizard } from './agent-wizard.tsx';
import { useWizardDraft } from './use-wizard-draft.ts';
import type { WizardTask } from './wizard-task.ts';

const route = getRouteApi('/agents/$namespace/$name/edit');

const useChange = (agent: Agent, search: WizardSearch): WizardTask => {
  const agentManager = useAgentManager();
  const { namespace, name, skills } = agent;
  // The fields as they were when the wizard was opened: what another person changes meanwhile stays.
  const [before] = useState(() => formOfAgent(agent));
  return {
    title: `Edit ${agent.displayName ?? name}`,
    isEdit: true,
    draft: useWizardDraft(`${namespace}/${name}`, before, search),
    ...(agent.toolset !== undefined && { declared: agent.toolset }),
    isProtected: isProtected(agent),
    argumentsOf: (form, composition) => {
      const change = changeOfForm({ before, skills }, form);
      const input = composition === undefined ? change : agentDraft(change, composition);
      return { ...input, update: true };
    },
    submitLabel: 'Save changes',
    doneText: `The changes of the agent ${namespace}/${name} are saved.`,
    submit: async ({ update: _, ...input }) =>
      answeredValue(await agentManager.updateAgent({ ...input, namespace, name })).agent,
  };
};

const Edit = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
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
  const name = route.useParams();
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
