import type { Agent } from '@gateway/agent-manager-client';
import type { AgentDetails } from '@gateway/toolset-composer';

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
export type TextField = (typeof TEXT_FIELDS)[number];

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
export const formOfAgent = (agent: Agent): AgentForm => ({
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
export type NamedDetails = AgentDetails & { readonly name: string };

/** Returns the arguments of a new agent: the fields that are not empty. @spec §4.4 */
export const detailsOfForm = (form: AgentForm): NamedDetails => {
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
export const changeOfForm = (
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
