import {
  type Branch,
  formatError,
  type Operand,
  type Outcome,
  type Pipeline,
  type Template,
  type NodeByKind,
  type TemplateNode,
} from '../syntax/template.ts';
import { isJsonList, type JsonMap, type JsonValue } from '../values/json-value.ts';
import { parseText } from '../syntax/parse-template.ts';
import { MAX_VALUE_DEPTH, TOO_DEEP } from '../values/template-value.ts';

/** Returns a problem of a member with its key or index in front: `[0]: ...`, `.a[0]: ...`. */
export const formatMemberProblem = (problem: string, key: string | number): string => {
  const step = typeof key === 'number' ? `[${key}]` : `.${key}`;
  return `${step}${/^(?:\[|\.)/.test(problem) ? problem : `: ${problem}`}`;
};

/** A JSON value whose texts may be templates, parsed. Keys are never templates. */
export type ValueTemplate =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly ValueTemplate[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, ValueTemplate])[] };

const createConstant = (value: JsonValue): ValueTemplate => ({ kind: 'constant', value });

type Templates = ReadonlyMap<string, Template>;

const toTextTemplate = (text: string, templates: Templates): ValueTemplate => {
  const template = templates.get(text);
  return template === undefined ? createConstant(text) : { kind: 'template', template };
};

const toListTemplate = (list: readonly JsonValue[], templates: Templates): ValueTemplate => {
  const items = list.map((item) => toValueTemplate(item, templates));
  return items.every(({ kind }) => kind === 'constant')
    ? createConstant(list)
    : { kind: 'list', items };
};

const toMapTemplate = (map: JsonMap, templates: Templates): ValueTemplate => {
  let isConstant = true;
  const entries: [string, ValueTemplate][] = [];
  for (const key of Object.keys(map)) {
    const parsed = toValueTemplate(map[key] ?? null, templates);
    isConstant &&= parsed.kind === 'constant';
    entries.push([key, parsed]);
  }
  return isConstant ? createConstant(map) : { kind: 'map', entries };
};

/**
 * Returns a value with the templates of its texts in place. Parts without templates stay the values that they are.
 * @param templates the parsed templates by their text
 */
export function toValueTemplate(value: JsonValue, templates: Templates): ValueTemplate {
  if (typeof value === 'string') return toTextTemplate(value, templates);
  if (typeof value !== 'object' || value === null) return createConstant(value);
  return isJsonList(value) ? toListTemplate(value, templates) : toMapTemplate(value, templates);
}

/** Returns the members of a parsed map in their order; empty for any other value. */
export const listMemberTemplates = (
  parsed: ValueTemplate,
): readonly (readonly [string, ValueTemplate])[] => {
  if (parsed.kind === 'map') return parsed.entries;
  if (parsed.kind !== 'constant') return [];
  const { value } = parsed;
  return typeof value !== 'object' || value === null || isJsonList(value)
    ? []
    : Object.entries(value).map(([key, member]) => [key, createConstant(member)] as const);
};

/** The parsed value, or its first problem with its place: `.a[0]: line 1, column 4: ...`. */
export type ParsedValue = Outcome<ValueTemplate, string>;

/** Parses the texts of a value into `templates`. Returns the first problem. */
const parseTexts = (
  value: JsonValue,
  templates: Map<string, Template>,
  depth: number,
): string | undefined => {
  if (typeof value === 'string') {
    const parsed = parseText(value);
    if (!parsed.ok) return formatError(parsed.error);
    if (parsed.value !== undefined) templates.set(value, parsed.value);
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_VALUE_DEPTH) return TOO_DEEP;
  const isList = isJsonList(value);
  for (const [key, member] of Object.entries(value)) {
    const problem = parseTexts(member, templates, depth + 1);
    if (problem !== undefined) return formatMemberProblem(problem, isList ? Number(key) : key);
  }
  return undefined;
};

/** Parses every template inside a value. Never throws. @spec §2.7 */
export const parseValue = (value: JsonValue): ParsedValue => {
  const templates = new Map<string, Template>();
  const problem = parseTexts(value, templates, 1);
  if (problem !== undefined) return { ok: false, error: problem };
  return { ok: true, value: toValueTemplate(value, templates) };
};

/**
 * The parts of the data that a template refers to: the first key of each reference, and the second one if it has one. More parts than
 * it uses are possible, fewer are not.
 */
export type DataReferences = readonly (readonly [root: string, key?: string])[];

/** Collects references. `all` is set where a template passes on the data as a whole. */
interface Collection {
  readonly found: Map<string, Set<string> | undefined>;
  all: boolean;
}

/** Where `.` and `$` are the data. */
interface Place {
  readonly dot: boolean;
  readonly dollar: boolean;
}

const add = (collection: Collection, root: string, key: string | undefined): void => {
  const { found } = collection;
  if (key === undefined) found.set(root, undefined);
  else if (!found.has(root)) found.set(root, new Set([key]));
  else found.get(root)?.add(key);
};

const isData = (operand: Operand, { dot, dollar }: Place): boolean =>
  (operand.kind === 'dot' && dot) || (operand.kind === 'variable' && operand.slot === 0 && dollar);

const collectChain = (
  collection: Collection,
  { root, steps }: Extract<Operand, { kind: 'chain' }>,
  place: Place,
): void => {
  const [first, second] = steps;
  if (!isData(root, place)) collect(collection, root, place);
  else if (first?.kind === 'key') {
    add(collection, first.key, second?.kind === 'key' ? second.key : undefined);
  }
};

const collect = (collection: Collection, operand: Operand, place: Place): void => {
  if (isData(operand, place)) collection.all = true;
  else if (operand.kind === 'chain') collectChain(collection, operand, place);
  else if (operand.kind === 'call') {
    for (const argument of operand.arguments) collect(collection, argument, place);
  }
};

const collectPipeline = (
  collection: Collection,
  pipeline: Pipeline | undefined,
  place: Place,
): void => {
  if (pipeline !== undefined) collect(collection, pipeline.value, place);
};

const collectBranch = (
  collection: Collection,
  { pipeline, body }: Branch,
  inside: Place,
  place: Place,
): void => {
  collectPipeline(collection, pipeline, place);
  collectNodes(collection, body, inside);
};

const collectBranches = (
  collection: Collection,
  { kind, branches, otherwise }: NodeByKind<'if' | 'with'>,
  place: Place,
): void => {
  const inside = kind === 'with' ? { ...place, dot: false } : place;
  for (const branch of branches) collectBranch(collection, branch, inside, place);
  collectNodes(collection, otherwise, place);
};

const collectNode = (collection: Collection, node: TemplateNode, place: Place): void => {
  switch (node.kind) {
    case 'action':
    case 'template':
      collectPipeline(collection, node.pipeline, place);
      return;
    case 'if':
    case 'with':
      collectBranches(collection, node, place);
      return;
    case 'range':
      collectBranch(collection, node, { ...place, dot: false }, place);
      collectNodes(collection, node.otherwise, place);
      return;
    case 'text':
    case 'break':
    case 'continue':
  }
};

const collectNodes = (
  collection: Collection,
  nodes: readonly TemplateNode[],
  place: Place,
): void => {
  for (const node of nodes) collectNode(collection, node, place);
};

const collectTemplate = (
  collection: Collection,
  { nodes, single, definitions }: Template,
): void => {
  collectPipeline(collection, single, { dot: true, dollar: true });
  collectNodes(collection, nodes, { dot: true, dollar: true });
  // Inside a definition, `.` and `$` are the value that it was called with.
  for (const body of definitions.values()) {
    collectNodes(collection, body, { dot: false, dollar: false });
  }
};

const collectValue = (collection: Collection, value: ValueTemplate): void => {
  switch (value.kind) {
    case 'constant':
      return;
    case 'template':
      collectTemplate(collection, value.template);
      return;
    case 'list':
      for (const item of value.items) collectValue(collection, item);
      return;
    case 'map':
      for (const [, member] of value.entries) collectValue(collection, member);
  }
};

/** Returns the parts of the data that these values refer to; undefined when one may refer to all of the data. */
export const listDataReferences = (
  values: readonly ValueTemplate[],
): DataReferences | undefined => {
  const collection: Collection = { found: new Map(), all: false };
  for (const value of values) collectValue(collection, value);
  if (collection.all) return undefined;
  return [...collection.found].flatMap(([root, keys]): DataReferences =>
    keys === undefined ? [[root]] : [...keys].map((key) => [root, key] as const),
  );
};
