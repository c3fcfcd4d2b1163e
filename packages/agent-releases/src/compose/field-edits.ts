import type { OperationDraft } from '@gateway/agent-manager-client';
import { textOf } from '../read/lenient.ts';
import { skillsValue } from './skills-value.ts';

/** What a caller says of an agent: fields left out are not spoken of. */
export type AgentFields = Omit<
  OperationDraft<'update_agent'>,
  'name' | 'namespace' | 'force' | 'toolNames'
>;

/** One value of a release, and what it becomes. */
export interface ValueEdit {
  /** Keys from the root of the values. */
  readonly path: readonly [string, ...string[]];
  /** `undefined`: the key goes, and the chart's default holds. */
  readonly value: unknown;
}

type FieldRules = {
  readonly [Field in keyof Required<AgentFields>]: {
    readonly path: ValueEdit['path'];
    readonly value: (given: NonNullable<AgentFields[Field]>) => unknown;
  };
};

const unlessEmpty = (map: Readonly<Record<string, string>>): unknown =>
  Object.keys(map).length === 0 ? undefined : map;

/** Where each field stands in the values of the chart, in the order of the chart. @spec §2.8 */
const RULES: FieldRules = {
  displayName: { path: ['agent', 'displayName'], value: textOf },
  description: { path: ['agent', 'description'], value: textOf },
  iconUrl: { path: ['agent', 'iconUrl'], value: textOf },
  systemMessage: { path: ['agent', 'systemMessage'], value: textOf },
  runtime: { path: ['agent', 'runtime'], value: textOf },
  modelConfig: { path: ['modelConfig', 'name'], value: textOf },
  skills: { path: ['skills'], value: skillsValue },
  toolset: { path: ['toolset'], value: (toolset) => toolset },
  labels: { path: ['labels'], value: unlessEmpty },
  annotations: { path: ['annotations'], value: unlessEmpty },
};

const editOf = <Field extends keyof FieldRules>(
  field: Field,
  fields: AgentFields,
): readonly ValueEdit[] => {
  const given = fields[field];
  if (given === undefined) return [];
  const { path, value } = RULES[field];
  return [{ path, value: value(given) }];
};

/** What the given fields make of the values, in the order of the chart. Texts that are blank unset theirs. @spec §4.4 */
export const fieldEdits = (fields: AgentFields): readonly ValueEdit[] =>
  (Object.keys(RULES) as readonly (keyof FieldRules)[]).flatMap((field) => editOf(field, fields));
