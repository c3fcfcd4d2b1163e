import type { Agent } from '@gateway/agent-manager-client';
import type { AgentDetails, DeclaredAccess } from '@gateway/toolset-composer';
import { formatSkill } from '../agents/agent-parts.tsx';

type GitRefs = NonNullable<NonNullable<AgentDetails['skills']>['gitRefs']>;

/** A folder with a skill in a Git repository. */
export type SkillRef = GitRefs[number];

/** The fields of the wizard that are texts. An empty text is an absent field. */
export const TEXT_FIELDS = [
  'displayName',
  'description',
  'systemMessage',
  'modelConfig',
  'iconUrl',
  'runtime',
] as const;

/** The name of a field that is a text. */
type TextField = (typeof TEXT_FIELDS)[number];

/** The fields of the wizard, without the toolset. */
export interface AgentForm extends Readonly<Record<TextField, string>> {
  readonly name: string;
  /** The default namespace when empty. */
  readonly namespace: string;
  readonly skills: readonly SkillRef[];
}

/** The form of a new agent. */
export const EMPTY_FORM: AgentForm = {
  name: '',
  namespace: '',
  displayName: '',
  description: '',
  systemMessage: '',
  modelConfig: '',
  iconUrl: '',
  runtime: '',
  skills: [],
};

/** Returns the form of an agent that exists. */
export const toForm = (agent: Agent): AgentForm => ({
  name: agent.name,
  namespace: agent.namespace,
  displayName: agent.displayName ?? '',
  description: agent.description ?? '',
  systemMessage: agent.systemMessage ?? '',
  modelConfig: agent.modelConfig ?? '',
  iconUrl: agent.iconUrl ?? '',
  runtime: agent.runtime ?? '',
  skills: agent.skills?.gitRefs ?? [],
});

/** The arguments of an agent with its name. */
type NamedDetails = AgentDetails & { readonly name: string };

/** Returns the arguments of a new agent: the fields that are not empty. @spec §4.4 */
export const toDetails = (form: AgentForm): NamedDetails => {
  const texts = TEXT_FIELDS.filter((field) => form[field] !== '');
  return {
    name: form.name,
    ...(form.namespace !== '' && { namespace: form.namespace }),
    ...Object.fromEntries(texts.map((field) => [field, form[field]])),
    ...(form.skills.length > 0 && { skills: { gitRefs: [...form.skills] } }),
  };
};

/**
 * Returns the arguments of a change: the fields that differ. An empty text removes a field.
 *
 * @param skills the skills of the agent: those that the form does not show stay
 * @spec §4.4
 */
export const toChange = (
  { before, skills }: { readonly before: AgentForm; readonly skills: Agent['skills'] },
  form: AgentForm,
): NamedDetails => {
  const texts = TEXT_FIELDS.filter((field) => form[field] !== before[field]);
  const sameSkills = JSON.stringify(form.skills) === JSON.stringify(before.skills);
  return {
    name: before.name,
    namespace: before.namespace,
    ...Object.fromEntries(texts.map((field) => [field, form[field]])),
    ...(!sameSkills && { skills: { ...skills, gitRefs: [...form.skills] } }),
  };
};

/** Returns whether a value from the storage of the browser is a folder with a skill. */
export const isSkillRef = (value: unknown): value is SkillRef => {
  if (typeof value !== 'object' || value === null || !('url' in value)) return false;
  return ['url', 'path', 'ref', 'name'].every((key) => {
    const text: unknown = (value as Readonly<Record<string, unknown>>)[key];
    return typeof text === 'string' || (text === undefined && key !== 'url');
  });
};

/** A part of an agent as it is, and as the wizard writes it. */
export interface AgentChange {
  readonly label: string;
  /** Empty for a part that is not set. */
  readonly before: string;
  /** Empty for a part that is removed. */
  readonly after: string;
}

/** An agent with the access that it declares. */
interface AgentSide {
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
const diffLines = (list: readonly string[], other: readonly string[]): string => {
  const others = new Set(other);
  return list.filter((line) => !others.has(line)).join('\n');
};

const toListChange = (
  label: string,
  before: readonly string[],
  after: readonly string[],
): AgentChange => ({
  label,
  before: diffLines(before, after),
  after: diffLines(after, before),
});

const toLines = (declared: DeclaredAccess): readonly string[] =>
  declared.access === 'toolset' ? declared.toolset : [EVERY_TOOL];

/** Returns the parts of an agent that a change writes with another value. Of the skills and the toolset, those that are removed and added. */
export const listAgentChanges = (before: AgentSide, after: AgentSide): readonly AgentChange[] => {
  const skillsOf = ({ form }: AgentSide): readonly string[] => form.skills.map(formatSkill);
  const texts = TEXT_FIELDS.map((field) => ({
    label: LABELS[field],
    before: before.form[field],
    after: after.form[field],
  }));
  return [
    ...texts,
    toListChange('Skills', skillsOf(before), skillsOf(after)),
    toListChange('Toolset', toLines(before.declared), toLines(after.declared)),
  ].filter((change) => change.before !== change.after);
};
