import { useSessionStorage } from '@mantine/hooks';
import { agentDraft, EMPTY_COMPOSITION } from '@gateway/toolset-composer';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answeredValue } from '../../queries/answered-value.ts';
import { useAgentManager } from '../../queries/use-agent-manager.ts';
import { detailsOfForm, EMPTY_FORM, readForm, type AgentForm } from './agent-form.ts';
import { AgentWizard } from './agent-wizard.tsx';
import type { Draft } from './use-validation.ts';
import type { WizardTask } from './wizard-task.ts';

const route = getRouteApi('/agents/new');

const deserialize = (text: string | undefined): AgentForm => {
  try {
    return readForm(JSON.parse(text ?? ''));
  } catch {
    return EMPTY_FORM;
  }
};

/** The unfinished form of this browser tab, so that a reload loses nothing. */
const useStoredForm = () =>
  useSessionStorage({
    key: 'new-agent',
    defaultValue: EMPTY_FORM,
    getInitialValueInEffect: false,
    deserialize,
  });

const useCreation = (): WizardTask => {
  const agentManager = useAgentManager();
  const [form, onForm, forget] = useStoredForm();
  return {
    title: 'New agent',
    isEdit: false,
    form,
    onForm,
    isProtected: false,
    draftOf: (fields, composition = EMPTY_COMPOSITION) =>
      agentDraft(detailsOfForm(fields), composition),
    submitLabel: 'Create agent',
    submit: async ({ update: _, force: __, ...draft }: Draft) => {
      const { modelConfig = '', toolset = [] } = draft;
      const input = { ...draft, modelConfig, toolset };
      const { agent } = answeredValue(await agentManager.createAgent(input));
      forget();
      return agent;
    },
  };
};

/** The wizard that creates an agent. */
export const NewAgentPage = (): ReactNode => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AgentWizard
      task={useCreation()}
      search={search}
      onStep={(step) => void navigate({ search: (now) => ({ ...now, step }) })}
      onToolset={(toolset) =>
        void navigate({ search: (now) => ({ ...now, toolset }), replace: true })
      }
    />
  );
};
