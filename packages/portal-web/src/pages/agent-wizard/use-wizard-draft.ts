import { useState } from 'react';
import { useBackend } from '../../backend/backend-context.ts';
import { draftKey } from '../../backend/drafts.ts';
import { MAX_SELECTORS, type WizardSearch } from '../../addresses/wizard-search.ts';
import type { AgentForm } from './agent-form.ts';
import {
  changedFields,
  isUnchanged,
  NO_CHANGES,
  readChanges,
  type WizardChanges,
} from './wizard-changes.ts';

/** The draft of a wizard, which is kept in the browser tab: going back, opening other pages and a reload lose nothing. */
export interface WizardDraft {
  /** The form that the wizard began with. */
  readonly before: AgentForm;
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
  /** Absent until the person has changed the toolset. */
  readonly toolset?: readonly string[];
  readonly onToolset: (toolset: readonly string[]) => void;
  readonly isChanged: boolean;
  /** Returns to the form that the wizard began with. */
  readonly discard: () => void;
  /** Removes the draft from the browser tab, after it was saved. The page shows it until it is closed. */
  readonly forget: () => void;
}

const read = (key: string): WizardChanges => {
  try {
    return readChanges(sessionStorage.getItem(key) ?? '');
  } catch {
    return NO_CHANGES;
  }
};

const write = (key: string, changes: WizardChanges): void => {
  try {
    if (isUnchanged(changes)) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(changes));
  } catch {
    // Policies of browsers can refuse the storage: the draft then lasts as long as the page.
  }
};

/**
 * Returns the draft of a wizard. The toolset of the address with which the wizard is opened replaces the one of an earlier draft.
 *
 * @param name distinguishes the wizards of a tab
 * @param before the form that the wizard begins with
 */
export const useWizardDraft = (
  name: string,
  before: AgentForm,
  { toolset: linked }: WizardSearch,
): WizardDraft => {
  const key = draftKey(name, useBackend().session);
  const [changes, setChanges] = useState<WizardChanges>(() => ({
    ...read(key),
    ...(linked !== undefined && { toolset: linked }),
  }));
  const change = (next: WizardChanges): void => {
    write(key, next);
    setChanges(next);
  };
  return {
    before,
    form: { ...before, ...changes.fields },
    onForm: (form) => change({ ...changes, fields: changedFields(before, form) }),
    ...(changes.toolset !== undefined && { toolset: changes.toolset }),
    onToolset: (toolset) => change({ ...changes, toolset: toolset.slice(0, MAX_SELECTORS) }),
    isChanged: !isUnchanged(changes),
    discard: () => change(NO_CHANGES),
    forget: () => write(key, NO_CHANGES),
  };
};
