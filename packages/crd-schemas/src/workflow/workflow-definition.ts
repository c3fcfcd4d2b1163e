import type { JsonMap } from '@gateway/go-template';
import type { Result } from '@gateway/toolset-grammar';
import { VARIABLE_NAME } from '../fields/field-facts.ts';
import {
  DEFAULT_LOOP_VARIABLE,
  MAX_DESCRIPTION_CHARS,
  MAX_ISSUES,
  MAX_STEPS,
  MAX_SUB_STEPS,
  MAX_WORKFLOW_ARGS,
  MAX_WORKFLOW_DESCRIPTION_CHARS,
} from '../fields/limits.ts';
import {
  type ValidationIssue,
  formatApiVersion,
  formatError,
  formatPath,
  isMapping,
  readOwnMember,
  shortenProblem,
} from '../fields/validation-issue.ts';
import { NO_EXPECTATION, NO_LOOP_STEPS, NO_STEPS, WORKFLOW_RULES } from '../rules/cel-rules.ts';
import {
  TOO_MANY_STEPS,
  type WorkflowReview,
  formatRepeatedId,
  parseWorkflow,
} from './parse-workflow.ts';
import { STEP_ID_BOUNDS, findValidStepId } from './step-places.ts';
import { ARGUMENT_TYPES, WORKFLOW_KIND } from './workflow.ts';

/** Returns the schema of an object with these members and no others. */
const createStrictSchema = (
  required: readonly string[],
  properties: JsonMap,
  rest: JsonMap = {},
): JsonMap => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...rest,
  additionalProperties: false,
});

const requireMember = (name: string): JsonMap => ({ required: [name] });

const describeText = (description: string): JsonMap => ({ type: 'string', description });
const describeFlag = (description: string): JsonMap => ({ type: 'boolean', description });

const note: JsonMap = { type: 'string', maxLength: MAX_DESCRIPTION_CHARS };

const describeToolArgs = (of: string): JsonMap => ({
  type: 'object',
  description: `Arguments of ${of}; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}`,
});

const describeExpectation = (description: string): JsonMap =>
  createStrictSchema(
    [],
    {
      success: describeFlag('True for a call that succeeded'),
      jsonPath: { type: 'object', description: 'Path in the result to the value it must have' },
    },
    { description, minProperties: 1 },
  );

const condition = createStrictSchema(
  [],
  {
    template: describeText('Runs the step only when it renders to true'),
    tool: describeText('Tool to call for the check'),
    args: describeToolArgs('the tool'),
    fromStep: describeText('Id of the earlier step whose result is checked'),
    expect: describeExpectation('The expectation that must hold'),
    expectNot: describeExpectation('The expectation that must not hold'),
  },
  {
    description: 'The condition for running the step: exactly one of template, tool, fromStep',
    oneOf: [requireMember('template'), requireMember('tool'), requireMember('fromStep')],
    anyOf: [requireMember('template'), requireMember('expect'), requireMember('expectNot')],
  },
);

const id: JsonMap = {
  type: 'string',
  minLength: STEP_ID_BOUNDS.min,
  maxLength: STEP_ID_BOUNDS.max,
  pattern: STEP_ID_BOUNDS.pattern.regex.source,
  description: 'Unique in the workflow',
};

const call: JsonMap = {
  tool: describeText('Exposed name of the tool to call'),
  args: describeToolArgs('the tool'),
};

const flags: JsonMap = {
  condition,
  output: describeFlag('Show the result in the returned document'),
  store: { ...describeFlag('Deprecated: use output'), deprecated: true },
  allowFailure: { ...describeFlag('Go on when this fails'), default: false },
  description: note,
};

const subStep = createStrictSchema(['id', 'tool'], { id, ...call, ...flags });

const describeSubSteps = (least: number): JsonMap => ({
  type: 'array',
  minItems: least,
  maxItems: MAX_SUB_STEPS,
  items: subStep,
});

const forEach = createStrictSchema(
  ['items', 'steps'],
  {
    items: describeText('Template that gives a list'),
    as: {
      type: 'string',
      pattern: VARIABLE_NAME.regex.source,
      default: DEFAULT_LOOP_VARIABLE,
      description: 'Name of the item: {{ .vars.<as> }}, its index {{ .vars.<as>_index }}',
    },
    steps: describeSubSteps(1),
  },
  { description: 'Runs the steps once for each item' },
);

const step = createStrictSchema(
  ['id'],
  {
    id,
    ...call,
    forEach,
    parallel: { ...describeSubSteps(1), description: 'Sub-steps that run at once' },
    ...flags,
  },
  { oneOf: [requireMember('tool'), requireMember('forEach'), requireMember('parallel')] },
);

const argument = createStrictSchema(['type'], {
  type: { type: 'string', enum: ARGUMENT_TYPES },
  required: { type: 'boolean', default: false },
  default: { description: 'Used when the caller omits the argument' },
  description: note,
});

/**
 * JSON Schema of each field of a structured definition except its name, in camel case. It includes requirements between fields
 * as far as JSON Schema states them well, but not the syntax of templates and the uniqueness of ids.
 *
 * @spec §2.7
 */
export const WORKFLOW_DEFINITION_SCHEMA: {
  readonly [K in 'description' | 'args' | 'steps' | 'onFailure' | 'output']: JsonMap;
} = {
  description: { type: 'string', maxLength: MAX_WORKFLOW_DESCRIPTION_CHARS },
  args: { type: 'object', maxProperties: MAX_WORKFLOW_ARGS, additionalProperties: argument },
  steps: { type: 'array', minItems: 1, maxItems: MAX_STEPS, items: step },
  onFailure: describeSubSteps(0),
  output: { type: 'object' },
};

type Path = ValidationIssue['path'];

/** The subject of a problem, and the path from there to the value. */
interface Context {
  readonly kind: 'definition' | 'argument' | 'step' | 'sub-step';
  readonly words: string;
  readonly rest: Path;
  /** The step's or sub-step's, if it can be shown. */
  readonly id?: string | undefined;
  /** The list of a sub-step, as text; empty for everything else. */
  readonly group: string;
}

const MISSING = new Set(['must not be empty', 'must have a value']);
const isMissing = ({ path, message }: ValidationIssue): boolean =>
  MISSING.has(message) || message === `${String(path.at(-1))} is required`;

const readEntry = (list: unknown, index: number): unknown =>
  Array.isArray(list) ? list[index] : undefined;

const createSubStepContext = (group: string, list: unknown, index: number, rest: Path): Context => {
  const id = findValidStepId(readEntry(list, index));
  return { kind: 'sub-step', words: `${group} sub-step ${id ?? String(index)}`, rest, id, group };
};

const createStepContext = (step: unknown, index: number, rest: Path): Context => {
  const id = findValidStepId(step);
  const [group, second, third] = rest;
  const name = `step ${id ?? String(index)}`;
  if (group === 'forEach' && second === 'steps' && typeof third === 'number') {
    const list = readOwnMember(readOwnMember(step, 'forEach'), 'steps');
    return createSubStepContext(`${name} forEach`, list, third, rest.slice(3));
  }
  if (group === 'parallel' && typeof second === 'number') {
    return createSubStepContext(
      `${name} parallel`,
      readOwnMember(step, 'parallel'),
      second,
      rest.slice(2),
    );
  }
  const words =
    id === undefined || (group === 'forEach' && second !== undefined)
      ? name
      : `step ${String(index)} (${id})`;
  return { kind: 'step', words, rest, id, group: '' };
};

const resolveContext = (path: Path, definition: unknown): Context => {
  const [field, key, ...rest] = path;
  if (field === 'args' && key !== undefined) {
    return { kind: 'argument', words: `argument ${formatPath([key])}`, rest, group: '' };
  }
  if (field === 'steps' && typeof key === 'number') {
    return createStepContext(readEntry(readOwnMember(definition, 'steps'), key), key, rest);
  }
  if (field === 'onFailure' && typeof key === 'number') {
    return createSubStepContext('onFailure', readOwnMember(definition, 'onFailure'), key, rest);
  }
  return { kind: 'definition', words: '', rest: path, group: '' };
};

/** Sentences of their own for what is missing, by where it is missing. */
const missing: Readonly<Record<Context['kind'], Readonly<Record<string, string>>>> = {
  definition: {
    name: 'workflow name is required',
    steps: NO_STEPS,
  },
  argument: { type: 'type is required' },
  step: {
    id: 'step ID cannot be empty',
    'forEach.items': 'forEach.items is required',
    'forEach.steps': NO_LOOP_STEPS,
  },
  'sub-step': { id: 'id cannot be empty', tool: 'tool cannot be empty' },
};

/** Sentences that name their fields themselves. */
const complete = new Set([
  ...WORKFLOW_RULES.map(({ message }) => message).filter((message) => message !== NO_EXPECTATION),
  TOO_MANY_STEPS.message,
]);

const formatSentence = (issue: ValidationIssue, { kind, rest }: Context): string => {
  const field = formatPath(rest);
  if (isMissing(issue) && Object.hasOwn(missing[kind], field)) {
    return missing[kind][field] ?? issue.message;
  }
  return complete.has(issue.message)
    ? issue.message
    : formatError({ path: rest, message: issue.message });
};

/** A duplicate id is reported with its list, because the id alone is ambiguous. */
const findDuplicateText = (
  { message }: ValidationIssue,
  { id, group }: Context,
): string | undefined => {
  if (id === undefined || message !== formatRepeatedId(id)) return undefined;
  return group === '' ? message : `${group}: duplicate sub-step id '${id}'`;
};

const formatEntry = (issue: ValidationIssue, context: Context): string => {
  const repeated = findDuplicateText(issue, context);
  if (repeated !== undefined) return repeated;
  const sentence = formatSentence(issue, context);
  return context.words === '' ? sentence : `${context.words}: ${sentence}`;
};

/**
 * Returns a problem of a definition as one line of at most 300 characters about a step instead of a path. A problem inside `args` or `steps` begins with
 * the name of that field. `path` begins at the definition.
 */
const formatDefinitionProblem = (issue: ValidationIssue, definition: unknown): string => {
  const context = resolveContext(issue.path, definition);
  const text = formatEntry(issue, context);
  // The texts about handlers contain the name of their field.
  const isNamed = context.kind === 'definition' || issue.path[0] === 'onFailure';
  return shortenProblem(isNamed ? text : `${String(issue.path[0])}: ${text}`);
};

interface Renaming {
  readonly problems: ValidationIssue[];
  /** The number of entries and fields that may still be renamed. The rest is unchanged, and refused as too large. */
  left: number;
}

/** Renames the value of one field, and reports conflicting spellings inside it. */
type Rename = (value: unknown, path: Path, renaming: Renaming) => unknown;

/** More than the fields of the largest workflow. */
const MAX_RENAMED = 200_000;

/** A mapping with known fields: older spellings, and nested values to rename. */
interface Shape {
  readonly spellings: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, Rename>>;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const findOwnEntry = <Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(table, key) ? table[key] : undefined);

const renameKeys =
  (shape: Shape): Rename =>
  (value, path, renaming) => {
    if (!isMapping(value)) return value;
    const fields = Object.keys(value);
    renaming.left -= fields.length;
    if (renaming.left < 0) return value;
    const renamed = Object.create(null) as Record<string, unknown>;
    for (const written of fields) {
      const key = findOwnEntry(shape.spellings, written) ?? written;
      if (key !== written && Object.hasOwn(value, key)) {
        renaming.problems.push({
          path: [...path, key],
          message: `set ${key} or ${written}, not both`,
        });
        continue;
      }
      const rename = findOwnEntry(shape.members, key);
      const member = value[written];
      renamed[key] = rename === undefined ? member : rename(member, [...path, key], renaming);
    }
    return renamed;
  };

const renameEach =
  (rename: Rename): Rename =>
  (value, path, renaming) => {
    if (!isList(value)) return value;
    renaming.left -= value.length;
    return renaming.left < 0
      ? value
      : value.map((entry, index) => rename(entry, [...path, index], renaming));
  };

const renameExpectation = renameKeys({ spellings: { json_path: 'jsonPath' }, members: {} });

const renameCondition = renameKeys({
  spellings: { from_step: 'fromStep', expect_not: 'expectNot' },
  members: { expect: renameExpectation, expectNot: renameExpectation },
});

const stepSpellings = { allow_failure: 'allowFailure', for_each: 'forEach' };

/** Bodies are flat: nothing is renamed inside a sub-step that is not a tool call, at any depth. */
const renameSubSteps = renameEach(
  renameKeys({ spellings: stepSpellings, members: { condition: renameCondition } }),
);

const renameForEach = renameKeys({ spellings: {}, members: { steps: renameSubSteps } });

const renameStep = renameKeys({
  spellings: stepSpellings,
  members: { condition: renameCondition, forEach: renameForEach, parallel: renameSubSteps },
});

const renameDefinition = renameKeys({
  spellings: { on_failure: 'onFailure' },
  members: { steps: renameEach(renameStep), onFailure: renameSubSteps },
});

/** A definition in camel case, and the fields that are present in both spellings. */
export interface CamelCaseDefinition {
  readonly definition: unknown;
  readonly problems: readonly ValidationIssue[];
}

/**
 * Renames the older snake-case spellings of the fields of a definition. User data in `args`, `output` and `jsonPath` is
 * unchanged. The given value is not modified.
 *
 * @spec §2.7
 */
const toCamelCaseDefinition = (given: unknown): CamelCaseDefinition => {
  const problems: ValidationIssue[] = [];
  return { definition: renameDefinition(given, [], { problems, left: MAX_RENAMED }), problems };
};

/** The facts about the resource that a definition does not contain. */
export interface DefinitionOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly apiGroup?: string | undefined;
}

const FIELDS = new Set(['name', 'description', 'args', 'steps', 'onFailure', 'output']);

/** Returns the fields that are set; `null` counts as absent. Unknown fields are included as far as they will be reported. */
const readFields = (definition: unknown): Record<string, unknown> => {
  const given = Object.create(null) as Record<string, unknown>;
  if (typeof definition !== 'object' || definition === null) return given;
  let unknown = 0;
  for (const key of Object.keys(definition)) {
    if (!FIELDS.has(key)) unknown += 1;
    const value = readOwnMember(definition, key);
    const isReported = FIELDS.has(key) || unknown <= MAX_ISSUES;
    if (isReported && value !== null && value !== undefined) given[key] = value;
  }
  return given;
};

const toDocument = (definition: unknown, { labels, apiGroup }: DefinitionOptions): unknown => {
  const { name, ...spec } = readFields(definition);
  return {
    apiVersion: formatApiVersion(apiGroup),
    kind: WORKFLOW_KIND,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
    },
    spec: Object.assign(Object.create(null) as object, spec),
  };
};

/** From the document back to the definition: `metadata.name` is `name`, `spec.steps` is `steps`. */
const toDefinitionIssue = ({ path, message }: ValidationIssue): ValidationIssue => ({
  path: path[0] === 'spec' || path[1] === 'name' ? path.slice(1) : path,
  message,
});

/**
 * Parses the structured form of a workflow, `{name, description?, args?, steps, onFailure?, output?}`, under the same rules as
 * a document, in camel case or in the older snake-case spellings. Problems are lines about steps instead of paths. Never throws
 * for plain data.
 *
 * @param options.labels of the resource
 * @param options.apiGroup of the resource; `gateway.internal` when absent
 * @spec §2.7
 */
export const parseWorkflowDefinition = (
  given: unknown,
  options: DefinitionOptions = {},
): Result<WorkflowReview, readonly string[]> => {
  const { definition, problems } = toCamelCaseDefinition(given);
  const { apiGroup } = options;
  const parsed = parseWorkflow(toDocument(definition, options), { apiGroup });
  const issues = [...problems, ...(parsed.ok ? [] : parsed.error.map(toDefinitionIssue))];
  if (parsed.ok && issues.length === 0) return parsed;
  const lines = issues.map((issue) => formatDefinitionProblem(issue, definition));
  return { ok: false, error: [...new Set(lines)].slice(0, MAX_ISSUES) };
};
