import { agentDraft, EMPTY_COMPOSITION } from '@gateway/toolset-composer';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WizardSearch } from '../../addresses/wizard-search.ts';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';
import { detailsOfForm, EMPTY_FORM } from './agent-form.ts';
import { AgentWizard } from './agent-wizard.tsx';
import { useWizardDraft } from './use-wizard-draft.ts';
import type { WizardTask } from './wizard-task.ts';

const route = getRouteApi('/agents/new');

const useCreation = (search: WizardSearch): WizardTask => {
  const agentManager = useAgentManager();
  return {
    title: 'New agent',
    isEdit: false,
    draft: useWizardDraft('new', EMPTY_FORM, search),
    isProtected: false,
    argumentsOf: (form, composition = EMPTY_COMPOSITION) =>
      agentDraft(detailsOfForm(form), composition),
    submitLabel: 'Create agent',
    doneText: 'The agent is created.',
    submit: async ({ update: _, force: __, ...draft }) => {
      const { modelConfig = '', toolset = [] } = draft;
      return answeredValue(await agentManager.createAgent({ ...draft, modelConfig, toolset }))
        .agent;
    },
  };
};

/** The wizard that creates an agent. */
export const NewAgentPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AgentWizard
      task={useCreation(search)}
      search={search}
      onSearch={(next, { replace }) => void navigate({ search: next, replace })}
    />
  );
};
