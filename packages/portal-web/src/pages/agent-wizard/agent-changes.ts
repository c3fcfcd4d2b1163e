import type { DeclaredAccess } from '@gateway/toolset-composer';
import { skillText } from '../agents/skill-text.ts';
import { TEXT_FIELDS, type AgentForm, type TextField } from './agent-form.ts';

/** A part of an agent as it is, and as the wizard writes it. */
export interface AgentChange {
  readonly label: string;
  /** Empty for a part that is not set. */
  readonly before: string;
  /** Empty for a part that is removed. */
  readonly after: string;
}

/** An agent with the access that it declares. */
export interface ComparedAgent {
  readonly form: AgentForm;
  readonly declared: DeclaredAccess;
}

const LABELS: Readonly<Record<TextField, string>> = {
  displayName: 'Display name',
  description: 'Description',
  systemMessage: 'System message',
  modelConfig: 'Model',
  iconUrl: 'Icon',
  runtime: 'Runtime',
};

/** The access of an agent that declares no toolset. */
const EVERY_TOOL = 'every tool of the gateway (implicit full access)';

/** Returns the lines of a list that the other one does not have. */
const linesOnlyIn = (list: readonly string[], other: readonly string[]): string => {
  const others = new Set(other);
  return list.filter((line) => !others.has(line)).join('\n');
};

const changeOfLists = (
  label: string,
  before: readonly string[],
  after: readonly string[],
): AgentChange => ({
  label,
  before: linesOnlyIn(before, after),
  after: linesOnlyIn(after, before),
});

const linesOf = (declared: DeclaredAccess): readonly string[] =>
  declared.access === 'toolset' ? declared.toolset : [EVERY_TOOL];

/** Returns the parts of an agent that a change writes with another value. Of the skills and the toolset, those that are removed and added. */
export const agentChanges = (
  before: ComparedAgent,
  after: ComparedAgent,
): readonly AgentChange[] => {
  const skillsOf = ({ form }: ComparedAgent): readonly string[] => form.skills.map(skillText);
  const texts = TEXT_FIELDS.map((field) => ({
    label: LABELS[field],
    before: before.form[field],
    after: after.form[field],
  }));
  return [
    ...texts,
    changeOfLists('Skills', skillsOf(before), skillsOf(after)),
    changeOfLists('Toolset', linesOf(before.declared), linesOf(after.declared)),
  ].filter((change) => change.before !== change.after);
};
