import type { OperationDraft } from '@gateway/agent-manager-client';
import { textOf } from '../values/lenient.ts';
import { skillsValue } from './skills-value.ts';

/** The fields of an agent that a caller gives. Absent fields stay unchanged. */
export type AgentFields = Omit<
  OperationDraft<'update_agent'>,
  'name' | 'namespace' | 'force' | 'toolNames'
>;

/** One value of a release and its new value. */
export interface ValueEdit {
  /** Keys from the root of the values. */
  readonly path: readonly [string, ...string[]];
  /** The new value. `undefined` removes the key, so that the default of the chart applies. */
  readonly value: unknown;
}

type EditOf = (fields: AgentFields) => readonly ValueEdit[];

const field =
  <Field extends keyof AgentFields>(
    name: Field,
    path: ValueEdit['path'],
    value: (given: NonNullable<AgentFields[Field]>) => unknown,
  ): EditOf =>
  (fields) => {
    const given = fields[name];
    return given === undefined ? [] : [{ path, value: value(given) }];
  };

const unlessEmptyMap = (map: Readonly<Record<string, string>>): unknown =>
  Object.keys(map).length === 0 ? undefined : map;

/** The path of each field in the values of the chart, in the order of the chart. @spec §2.8 */
const EDITS: { readonly [Field in keyof Required<AgentFields>]: EditOf } = {
  displayName: field('displayName', ['agent', 'displayName'], textOf),
  description: field('description', ['agent', 'description'], textOf),
  iconUrl: field('iconUrl', ['agent', 'iconUrl'], textOf),
  systemMessage: field('systemMessage', ['agent', 'systemMessage'], textOf),
  runtime: field('runtime', ['agent', 'runtime'], textOf),
  modelConfig: field('modelConfig', ['modelConfig', 'name'], textOf),
  skills: field('skills', ['skills'], skillsValue),
  toolset: field('toolset', ['toolset'], (toolset) => toolset),
  labels: field('labels', ['labels'], unlessEmptyMap),
  annotations: field('annotations', ['annotations'], unlessEmptyMap),
};

/** Returns the edits of the given fields, in the order of the chart. A blank text removes its value. @spec §4.4 */
export const fieldEdits = (fields: AgentFields): readonly ValueEdit[] =>
  Object.values(EDITS).flatMap((editOf) => editOf(fields));
