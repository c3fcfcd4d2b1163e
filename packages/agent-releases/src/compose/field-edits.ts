import { isJsonObject } from '@gateway/call-contract';
import type { OperationDraft } from '@gateway/agent-manager-client';
import type { Json } from '../store/agent-store.ts';
import {
  pickDefined,
  toMap,
  readOwnKey,
  toNonBlankText,
  toNonEmptyList,
  without,
} from '../values/lenient.ts';

type Skills = NonNullable<OperationDraft<'update_agent'>['skills']>;
type GitRef = NonNullable<Skills['gitRefs']>[number];

const findLastSegment = (path: string): string | undefined =>
  path
    .split(/[/\\]/u)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .at(-1);

/** Returns the name of a repository: `skills` for both `https://host/group/skills.git` and `git@host:group/skills.git`. */
const findRepositoryName = (url: string): string | undefined => {
  const [address = ''] = url.split(/[?#]/u);
  return findLastSegment(address.replace(/^[a-z+]+:\/\/[^/]*/u, '').replaceAll(':', '/'))?.replace(
    /\.git$/u,
    '',
  );
};

const toGitRefValue = ({ url, path, ref, name }: GitRef): object =>
  pickDefined({
    url,
    path: toNonBlankText(path),
    ref: toNonBlankText(ref),
    name:
      toNonBlankText(name) ??
      toNonBlankText(findLastSegment(path ?? '')) ??
      toNonBlankText(findRepositoryName(url)),
  });

/** Returns the value of skills in the chart; `undefined` when there are none. */
const toSkillsValue = (skills: Skills): object | undefined => {
  const secret = toNonBlankText(skills.gitAuthSecretName);
  const value = pickDefined({
    refs: toNonEmptyList((skills.refs ?? []).filter((ref) => toNonBlankText(ref) !== undefined)),
    gitRefs: toNonEmptyList((skills.gitRefs ?? []).map(toGitRefValue)),
    gitAuthSecretRef: secret === undefined ? undefined : { name: secret },
  });
  return Object.keys(value).length === 0 ? undefined : value;
};

/** The fields of an agent in a request. Absent fields stay unchanged. */
export type AgentFields = Omit<
  OperationDraft<'update_agent'>,
  'name' | 'namespace' | 'force' | 'toolNames'
>;

/** The new value of one key in the values of a release. */
interface ValueEdit {
  /** Keys from the root of the values. */
  readonly path: readonly [string, ...string[]];
  /** The new value. `undefined` removes the key, so that the default of the chart applies. */
  readonly value: unknown;
}

type ListEdits = (fields: AgentFields) => readonly ValueEdit[];

const createFieldEditor =
  <Field extends keyof AgentFields>(
    name: Field,
    path: ValueEdit['path'],
    value: (given: NonNullable<AgentFields[Field]>) => unknown,
  ): ListEdits =>
  (fields) => {
    const given = fields[name];
    return given === undefined ? [] : [{ path, value: value(given) }];
  };

const toNonEmptyMap = (map: Readonly<Record<string, string>>): unknown =>
  Object.keys(map).length === 0 ? undefined : map;

/** The path of each field in the values of the chart, in the order of the chart. @spec §2.8 */
const EDITS: { readonly [Field in keyof Required<AgentFields>]: ListEdits } = {
  displayName: createFieldEditor('displayName', ['agent', 'displayName'], toNonBlankText),
  description: createFieldEditor('description', ['agent', 'description'], toNonBlankText),
  iconUrl: createFieldEditor('iconUrl', ['agent', 'iconUrl'], toNonBlankText),
  systemMessage: createFieldEditor('systemMessage', ['agent', 'systemMessage'], toNonBlankText),
  runtime: createFieldEditor('runtime', ['agent', 'runtime'], toNonBlankText),
  modelConfig: createFieldEditor('modelConfig', ['modelConfig', 'name'], toNonBlankText),
  skills: createFieldEditor('skills', ['skills'], toSkillsValue),
  toolset: createFieldEditor('toolset', ['toolset'], (toolset) => toolset),
  labels: createFieldEditor('labels', ['labels'], toNonEmptyMap),
  annotations: createFieldEditor('annotations', ['annotations'], toNonEmptyMap),
};

/** Returns the edits of the given fields, in the order of the chart. A blank text removes its value. @spec §4.4 */
export const listFieldEdits = (fields: AgentFields): readonly ValueEdit[] =>
  Object.values(EDITS).flatMap((listEdits) => listEdits(fields));

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const set = (map: Json, [key, ...rest]: readonly string[], value: unknown): Json => {
  if (key === undefined) return map;
  if (rest.length === 0) return { ...map, [key]: value };
  return { ...map, [key]: set(toMap(readOwnKey(map, key)), rest, value) };
};

const remove = (map: Json, [key, ...rest]: readonly string[]): Json => {
  if (key === undefined || !Object.hasOwn(map, key)) return map;
  if (rest.length === 0) return without(map, key);
  const before = toMap(map[key]);
  const after = remove(before, rest);
  if (after === before) return map;
  return isEmpty(after) ? without(map, key) : { ...map, [key]: after };
};

/** Returns the values with the edits applied. Other keys keep their value and position; new keys are last. Empty maps are removed. */
export const applyEdits = (values: Json, edits: readonly ValueEdit[]): Json =>
  edits.reduce(
    (current, { path, value }) =>
      value === undefined ? remove(current, path) : set(current, path, value),
    values,
  );

/** The keys from the root of the values to a changed value. */
export type KeyPath = readonly string[];

/** Returns the map whose keys are compared. An absent value counts as an empty map when the other value is a non-empty map. */
const toComparableMap = (value: unknown, other: unknown): Json | undefined => {
  if (isJsonObject(value)) return value;
  return value === undefined && isJsonObject(other) && Object.keys(other).length > 0
    ? {}
    : undefined;
};

const hasEqualItems = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && before.every((item, index) => hasEqualJson(item, after[index]));

/** Returns whether two values are equal JSON, independent of the order of keys. */
const hasEqualJson = (before: unknown, after: unknown): boolean => {
  if (Object.is(before, after)) return true;
  if (Array.isArray(before) && Array.isArray(after)) return hasEqualItems(before, after);
  return (
    isJsonObject(before) &&
    isJsonObject(after) &&
    listChangedPaths(before, after).length === 0 &&
    Object.keys(before).length === Object.keys(after).length
  );
};

const listPathChanges = (path: KeyPath, before: unknown, after: unknown): readonly KeyPath[] => {
  const maps = [toComparableMap(before, after), toComparableMap(after, before)] as const;
  if (maps[0] !== undefined && maps[1] !== undefined)
    return listChangedPaths(maps[0], maps[1]).map((rest) => [...path, ...rest]);
  return hasEqualJson(before, after) ? [] : [path];
};

/**
 * Returns the paths whose values differ. Maps are compared recursively, a list is one value, and an added or removed map gives its keys.
 * Values are nested a bounded number of levels.
 */
export const listChangedPaths = (before: Json, after: Json): readonly KeyPath[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    listPathChanges([key], readOwnKey(before, key), readOwnKey(after, key)),
  );

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/u;

const formatSegment = (key: string): string =>
  PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;

/** Returns a path as text: `agent.description`, or `labels["team.example.com/name"]` for a key with dots. */
export const formatKeyPath = (path: KeyPath): string => {
  const text = path.map(formatSegment).join('');
  return text.startsWith('.') ? text.slice(1) : text;
};
