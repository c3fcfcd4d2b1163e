import type { Agent } from '@gateway/agent-manager-client';
import type { Composition } from '@gateway/toolset-composer';
import type { AgentForm } from './agent-form.ts';
import type { Draft } from './use-validation.ts';
import type { WizardDraft } from './use-wizard-draft.ts';

/** The task of a wizard: to create the agent that a person describes, or to change one. */
export interface WizardTask {
  readonly title: string;
  /** The name and namespace are those of an existing agent. */
  readonly isEdit: boolean;
  readonly draft: WizardDraft;
  /** The toolset that the agent has when the person does not change it; absent when it declares none. */
  readonly declared?: readonly string[];
  /** agent-manager writes only with `force`. */
  readonly isProtected: boolean;
  readonly argumentsOf: (form: AgentForm, composition: Composition | undefined) => Draft;
  readonly submitLabel: string;
  /** A sentence for the person after the agent was written. */
  readonly doneText: string;
  /** Writes the agent. Rejects with the sentence of agent-manager. */
  readonly submit: (input: Draft) => Promise<Agent>;
}
