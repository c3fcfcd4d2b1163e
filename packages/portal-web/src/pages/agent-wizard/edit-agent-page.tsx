import { Alert, Loader } from '@mantine/core';
import type { Agent } from '@gateway/agent-manager-client';
import { agentDraft } from '@gateway/toolset-composer';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';
import { isProtected } from '../agents/is-protected.ts';
import { useAgent } from '../agents/use-agent.ts';
import { changeOfForm, formOfAgent } from './agent-form.ts';
import { AgentWizard } from './agent-wizard.tsx';
import type { WizardTask } from './wizard-task.ts';

const route = getRouteApi('/agents/$namespace/$name/edit');

const useChange = (agent: Agent): WizardTask => {
  const agentManager = useAgentManager();
  const { namespace, name } = agent;
  // The fields as they were when the wizard was opened: what another person changes meanwhile stays.
  const [before] = useState(() => formOfAgent(agent));
  const [form, onForm] = useState(before);
  return {
    title: `Edit ${agent.displayName ?? name}`,
    isEdit: true,
    form,
    onForm,
    ...(agent.toolset !== undefined && { declared: agent.toolset }),
    isProtected: isProtected(agent),
    draftOf: (fields, composition) => {
      const change = changeOfForm(before, fields);
      const draft = composition === undefined ? change : agentDraft(change, composition);
      return { ...draft, update: true };
    },
    submitLabel: 'Save changes',
    submit: async ({ update: _, ...draft }) => {
      const input = { ...draft, namespace, name };
      return answeredValue(await agentManager.updateAgent(input)).agent;
    },
  };
};

const Edit = ({ agent }: { readonly agent: Agent }): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AgentWizard
      task={useChange(agent)}
      search={search}
      onStep={(step) => void navigate({ search: (now) => ({ ...now, step }) })}
      onToolset={(toolset) =>
        void navigate({ search: (now) => ({ ...now, toolset }), replace: true })
      }
    />
  );
};

/** The wizard that changes an agent. */
export const EditAgentPage = (): ReactNode => {
  const name = route.useParams();
  const { data, error } = useAgent(name);
  if (data !== undefined) return <Edit key={`${data.namespace}/${data.name}`} agent={data} />;
  if (error === null) return <Loader aria-label="Loading the agent" />;
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  );
};
