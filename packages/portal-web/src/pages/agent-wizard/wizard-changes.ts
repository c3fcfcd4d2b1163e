import { MAX_SELECTORS } from '../../addresses/wizard-search.ts';
import { isSkillRef, TEXT_FIELDS, type AgentForm } from './agent-form.ts';

/** The fields and the toolset that a person has changed in a wizard. */
export interface WizardChanges {
  readonly fields: Partial<AgentForm>;
  /** Absent until the person has changed it. */
  readonly toolset?: readonly string[];
}

/** The changes of a wizard that was just opened. */
export const NO_CHANGES: WizardChanges = { fields: {} };

/** Returns whether there is nothing to save or to discard. */
export const isUnchanged = ({ fields, toolset }: WizardChanges): boolean =>
  Object.keys(fields).length === 0 && toolset === undefined;

const MAX_SKILLS = 200;
const TEXTS: ReadonlySet<string> = new Set(['name', 'namespace', ...TEXT_FIELDS]);

const fieldsOf = (stored: unknown): Partial<AgentForm> => {
  if (typeof stored !== 'object' || stored === null) return {};
  const entries = Object.entries(stored) as (readonly [string, unknown])[];
  const texts = entries.filter(([key, value]) => TEXTS.has(key) && typeof value === 'string');
  const skills = entries.find(([key]) => key === 'skills')?.[1];
  return {
    ...Object.fromEntries(texts),
    ...(Array.isArray(skills) && { skills: skills.filter(isSkillRef).slice(0, MAX_SKILLS) }),
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads stored changes; what is none is left out. */
export const readChanges = (text: string): WizardChanges => {
  const stored = parsed(text);
  if (typeof stored !== 'object' || stored === null) return NO_CHANGES;
  const { fields, toolset } = stored as Readonly<Record<string, unknown>>;
  return {
    fields: fieldsOf(fields),
    ...(Array.isArray(toolset) && {
      toolset: toolset.filter((item) => typeof item === 'string').slice(0, MAX_SELECTORS),
    }),
  };
};

/** Returns the fields of a form that differ from those that it began with. */
export const changedFields = (before: AgentForm, form: AgentForm): Partial<AgentForm> =>
  Object.fromEntries(
    Object.entries(form).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof AgentForm]),
    ),
  );
