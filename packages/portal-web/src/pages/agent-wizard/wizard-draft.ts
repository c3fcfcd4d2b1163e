import { useState } from 'react';
import { MAX_SELECTORS, type WizardSearch } from '../../addresses/searches.ts';
import { useBackend } from '../../backend/backend.ts';
import { formatDraftKey } from '../../backend/session.ts';
import { parseJson } from '../../mcp/json.ts';
import { type AgentForm, isSkillRef, TEXT_FIELDS } from './agent-form.ts';

/** The fields and the toolset that a user has changed in a wizard. */
interface WizardChanges {
  readonly fields: Partial<AgentForm>;
  /** Absent until the user has changed it. */
  readonly toolset?: readonly string[];
}

/** The changes of a wizard that was just opened. */
export const NO_CHANGES: WizardChanges = { fields: {} };

/** Returns whether there is nothing to save or to discard. */
export const isUnchanged = ({ fields, toolset }: WizardChanges): boolean =>
  Object.keys(fields).length === 0 && toolset === undefined;

const MAX_SKILLS = 200;
const TEXTS: ReadonlySet<string> = new Set(['name', 'namespace', ...TEXT_FIELDS]);

const readFields = (stored: unknown): Partial<AgentForm> => {
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = Object.entries(stored) as (readonly [string, unknown])[];
  const texts = entries.filter(([key, value]) => TEXTS.has(key) && typeof value === 'string');
  const skills = entries.find(([key]) => key === 'skills')?.[1];
  return {
    ...Object.fromEntries(texts),
    ...(Array.isArray(skills) && { skills: skills.filter(isSkillRef).slice(0, MAX_SKILLS) }),
  };
};

/** Reads stored changes; what is none is left out. */
export const readChanges = (text: string): WizardChanges => {
  const stored = parseJson(text);
  if (typeof stored !== 'object' || stored === null) return NO_CHANGES;
  const { fields, toolset } = stored as Readonly<Record<string, unknown>>;
  return {
    fields: readFields(fields),
    ...(Array.isArray(toolset) && {
      toolset: toolset.filter((item) => typeof item === 'string').slice(0, MAX_SELECTORS),
    }),
  };
};

/** Returns the fields of a form that differ from those that it began with. */
export const diffFields = (before: AgentForm, form: AgentForm): Partial<AgentForm> =>
  Object.fromEntries(
    Object.entries(form).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof AgentForm]),
    ),
  );

/** The draft of a wizard, which is kept in the browser tab: going back, opening other pages and a reload lose nothing. */
export interface WizardDraft {
  /** The form that the wizard began with. */
  readonly before: AgentForm;
  readonly form: AgentForm;
  readonly onForm: (form: AgentForm) => void;
  /** Absent until the user has changed the toolset. */
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
  const key = formatDraftKey(name, useBackend().session);
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
    onForm: (form) => change({ ...changes, fields: diffFields(before, form) }),
    ...(changes.toolset !== undefined && { toolset: changes.toolset }),
    onToolset: (toolset) => change({ ...changes, toolset: toolset.slice(0, MAX_SELECTORS) }),
    isChanged: !isUnchanged(changes),
    discard: () => change(NO_CHANGES),
    forget: () => write(key, NO_CHANGES),
  };
};
