import type { Composition } from '@gateway/toolset-composer';
import type { AgentName } from '../agents/use-agent.ts';
import type { AgentForm } from './agent-form.ts';
import type { Draft } from './use-validation.ts';

/** The task of a wizard: to create the agent that a person describes, or to change one. */
export interface WizardTask {
  readonly title: string;
  /** The name and namespace are those of an existing agent. */
  readonly isEdit: boolean;
  /** The form, and what receives the next one. */
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
  /** The toolset that the agent has when the person does not change it; absent when it declares none. */
  readonly declared?: readonly string[];
  /** agent-manager writes only with `force`. */
  readonly isProtected: boolean;
  readonly draftOf: (form: AgentForm, composition: Composition | undefined) => Draft;
  readonly submitLabel: string;
  /** Writes the agent. Rejects with the sentence of agent-manager. */
  readonly submit: (draft: Draft) => Promise<AgentName>;
}
