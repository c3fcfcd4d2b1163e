import {
  formatError,
  isTemplate,
  type JsonMap,
  type JsonValue,
  MAX_TEMPLATE_CHARS,
  parsePath,
  parseTemplate,
  parseText,
  type Template,
  type TemplateError,
  type ValueTemplate,
  toValueTemplate,
} from '@gateway/go-template';
import * as z from 'zod/mini';
import {
  type ReadKey,
  VARIABLE_NAME,
  describeField,
  nameField,
  withFacts,
} from '../fields/field-facts.ts';
import {
  copyJson,
  createCheck,
  createJsonField,
  createKeyedList,
  createKeyedMap,
  createListField,
  createTextField,
} from '../fields/fields.ts';
import {
  type ValidationIssue,
  formatType,
  formatValueKind,
  isMapping,
  pushIssues,
} from '../fields/validation-issue.ts';
import {
  DEFAULT_LOOP_VARIABLE,
  MAX_ARGUMENT_NAME_CHARS,
  MAX_DESCRIPTION_CHARS,
  MAX_JSON_PATH_CHARS,
  MAX_JSON_PATHS,
  MAX_RESULT_NAME_CHARS,
  MAX_STEP_ID_CHARS,
  MAX_STEPS,
  MAX_SUB_STEPS,
  MAX_TOOL_NAME_CHARS,
  MAX_WORKFLOW_ARGS,
  MAX_WORKFLOW_DESCRIPTION_CHARS,
} from '../fields/limits.ts';
import { STEP_ID_BOUNDS } from './step-places.ts';
import {
  ARGUMENT_TYPES,
  type ArgumentDefinition,
  type ArgumentType,
  type ResultPlace,
  type Templated,
} from './workflow.ts';

/** Returns the problem of a template with its place in the text. */
const formatTemplateError = (error: TemplateError): string => `template ${formatError(error)}`;

interface TemplatedCopy<Source extends JsonValue> {
  readonly value: Templated<Source>;
  readonly problems: readonly ValidationIssue[];
}

/** Copies a value and parses the templates in it, each distinct text once. */
const copyTemplated = <Source extends JsonValue>(input: unknown): TemplatedCopy<Source> => {
  let templates: Map<string, Template> | undefined;
  const { value, problems } = copyJson(input, (text) => {
    if (!isTemplate(text) || templates?.has(text) === true) return undefined;
    const parsed = parseTemplate(text);
    if (!parsed.ok) return formatTemplateError(parsed.error);
    templates ??= new Map();
    templates.set(text, parsed.value);
    return undefined;
  });
  // A copy of a mapping is a mapping.
  const source = value as Source;
  const parsed: ValueTemplate =
    templates === undefined || problems.length > 0
      ? { kind: 'constant', value }
      : toValueTemplate(value, templates);
  return { value: Object.freeze({ source, parsed }), problems };
};

/** Placeholder for the value of a field with problems; nothing reads it. */
const INVALID: Templated<never> = Object.freeze({
  source: undefined as never,
  parsed: { kind: 'constant' as const, value: null },
});

/** Returns a JSON value, or a mapping of JSON values, whose texts may be templates. The source is frozen, and its maps have no prototype. @spec §2.7 */
const createTemplateField = <Source extends JsonValue>(json: 'value' | 'mapping') =>
  withFacts(
    { json },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Templated<Source> => {
        const { value, problems } =
          json === 'value' || isMapping(input)
            ? copyTemplated<Source>(input)
            : {
                value: INVALID,
                problems: [
                  { path: [], message: `must be a mapping, not ${formatValueKind(input)}` },
                ],
              };
        pushIssues(context, input, problems);
        return value;
      }),
    ),
  );

const createTemplateMapField = () => createTemplateField<JsonMap>('mapping');

/** A text that is rendered when the workflow runs. @spec §2.7 condition.template, forEach.items */
const templateText = z.pipe(
  createTextField({ min: 1, max: MAX_TEMPLATE_CHARS }),
  z.transform((source, context): Templated<string> => {
    const parsed = parseText(source);
    if (!parsed.ok) {
      context.issues.push({
        code: 'custom',
        input: source,
        message: formatTemplateError(parsed.error),
      });
    }
    const template = parsed.ok ? parsed.value : undefined;
    const value: ValueTemplate =
      template === undefined ? { kind: 'constant', value: source } : { kind: 'template', template };
    return Object.freeze({ source, parsed: value });
  }),
);

/** Parses a key of `jsonPath`: a path, or a template over `.result`, as soon as it has `{{`. @spec §2.7 jsonPath */
const readPlace: ReadKey<ResultPlace> = (written) => {
  if (isTemplate(written)) {
    const parsed = parseTemplate(written);
    return parsed.ok
      ? { ok: true, value: Object.freeze({ kind: 'template', template: parsed.value }) }
      : { ok: false, error: formatTemplateError(parsed.error) };
  }
  const parsed = parsePath(written);
  return parsed.ok
    ? { ok: true, value: Object.freeze({ kind: 'path', path: parsed.value }) }
    : { ok: false, error: parsed.error };
};

/** `jsonPath` of an expectation: places in the result with their expected values. @spec §2.7 jsonPath */
const jsonPathFields = createKeyedList(
  createTemplateField('value'),
  { key: { max: MAX_JSON_PATH_CHARS }, maxEntries: MAX_JSON_PATHS },
  readPlace,
);

/** The exposed name of a tool. @spec §2.7 tool */
const toolName = createTextField({ min: 1, max: MAX_TOOL_NAME_CHARS });

const describeExpectation = nameField(
  'Expectation',
  z.strictObject({
    success: describeField(
      'True for a call that succeeded, false for one that failed.',
      z.exactOptional(z.boolean()),
    ),
    jsonPath: describeField(
      'Path in the result, or template over .result, to the value that must be there.',
      z.exactOptional(jsonPathFields),
    ),
  }),
);

/** The fields of the `condition` of a step. Requirements between fields are in the rules. @spec §2.7 Condition */
const conditionFields = nameField(
  'Condition',
  z.strictObject({
    template: describeField(
      'Runs the step only when it renders to true.',
      z.exactOptional(templateText),
    ),
    tool: describeField('Tool to call for the check.', z.exactOptional(toolName)),
    args: describeField(
      'Arguments of the tool; texts may be templates.',
      z.exactOptional(createTemplateMapField()),
    ),
    fromStep: describeField(
      'ID of the earlier step whose result is checked.',
      z.exactOptional(createTextField({ min: 1, max: MAX_RESULT_NAME_CHARS })),
    ),
    expect: describeField('The expectation that must hold.', z.exactOptional(describeExpectation)),
    expectNot: describeField(
      'The expectation that must not hold.',
      z.exactOptional(describeExpectation),
    ),
  }),
);

/** `condition` before the rules between fields are evaluated. */
export type ConditionFields = z.output<typeof conditionFields>;

/** `expect` before the rules between fields are evaluated. */
export type ExpectationFields = NonNullable<ConditionFields['expect']>;

const checks: Readonly<Record<ArgumentType, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  object: isMapping,
  array: (value) => Array.isArray(value),
};

/**
 * Returns whether a value has the type of an argument: nothing is converted, `null` has no type, 5.0 is an integer and 1.5 is
 * not. @spec §2.7
 */
export const isArgumentValue = (type: ArgumentType, value: JsonValue): boolean =>
  checks[type](value);

/** The argument that requests the result of every step. No workflow declares it, shows it or receives it. */
export const DEBUG_ARGUMENT = '_debug';

const formatTypeMismatch = (type: ArgumentType, value: unknown): string =>
  `must be ${formatType(type)}, the type of the argument${
    typeof value === 'number' && type === 'integer' ? '' : `, not ${formatValueKind(value)}`
  }`;

/** The check of a default as JSON Schema, for editors. */
const defaultFitsType: JsonMap = {
  allOf: ARGUMENT_TYPES.map((type) => ({
    if: { required: ['type'], properties: { type: { const: type } } },
    then: { properties: { default: { type } } },
  })),
};

const definitionFields = withFacts(
  { name: 'ArgumentDefinition', also: defaultFitsType },
  z.strictObject({
    type: describeField('JSON type of the argument; nothing is converted.', z.enum(ARGUMENT_TYPES)),
    required: describeField(
      'Requires callers to set the argument.',
      z._default(z.boolean(), false),
    ),
    default: describeField(
      'Used when the caller omits the argument. Must have the type of the argument.',
      z.exactOptional(createJsonField()),
    ),
    description: describeField(
      'The purpose of the argument, shown to callers.',
      z.exactOptional(createTextField({ max: MAX_DESCRIPTION_CHARS })),
    ),
  }),
).check((context) => {
  const { type, default: value } = context.value;
  if (value !== undefined && !isArgumentValue(type, value)) {
    const message = formatTypeMismatch(type, value);
    context.issues.push({ code: 'custom', input: value, path: ['default'], message });
  }
});

const argumentDefinition = z.pipe(
  definitionFields,
  z.transform((definition): ArgumentDefinition => Object.freeze(definition)),
);

/** `spec.args` of a `Workflow`. @spec §2.7 args */
const argumentFields = createKeyedMap(argumentDefinition, {
  key: { max: MAX_ARGUMENT_NAME_CHARS },
  maxEntries: MAX_WORKFLOW_ARGS,
  reserved: { key: DEBUG_ARGUMENT, message: 'is taken: it asks a run for its details' },
});

const notInASubStep = z.exactOptional(
  withFacts(
    { isRefused: true },
    z.unknown().check(createCheck(() => 'a sub-step is always a tool call')),
  ),
);

const note = z.exactOptional(createTextField({ max: MAX_DESCRIPTION_CHARS }));
const tool = describeField('Exposed name of the tool to call.', toolName);

const commonFields = {
  id: describeField('Unique in the workflow.', createTextField(STEP_ID_BOUNDS)),
  args: describeField(
    'Arguments of the tool; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}.',
    z.exactOptional(createTemplateMapField()),
  ),
  condition: describeField(
    'The condition for running the step: exactly one of template, tool, fromStep.',
    z.exactOptional(conditionFields),
  ),
  output: describeField('Show the result in the returned document.', z.exactOptional(z.boolean())),
  store: describeField('Deprecated: use output.', z.exactOptional(z.boolean())),
  allowFailure: describeField('Go on when this fails.', z._default(z.boolean(), false)),
  description: describeField('The purpose of the step.', note),
};

const subStepFields = nameField(
  'SubStep',
  z.strictObject({
    ...commonFields,
    tool,
    forEach: notInASubStep,
    parallel: notInASubStep,
  }),
);

const describeSubSteps = createListField(subStepFields, MAX_SUB_STEPS);

const forEachFields = nameField(
  'ForEach',
  z.strictObject({
    items: describeField('Template that gives a list.', templateText),
    as: describeField(
      'Name of the item: {{ .vars.<as> }}, its index {{ .vars.<as>_index }}.',
      z._default(
        createTextField({ min: 1, max: MAX_STEP_ID_CHARS, pattern: VARIABLE_NAME }),
        DEFAULT_LOOP_VARIABLE,
      ),
    ),
    steps: describeField('Run in order for each item.', describeSubSteps),
  }),
);

const stepFields = nameField(
  'Step',
  z.strictObject({
    ...commonFields,
    tool: z.exactOptional(tool),
    forEach: describeField('Runs its steps once for each item.', z.exactOptional(forEachFields)),
    parallel: describeField('Sub-steps that run at once.', z.exactOptional(describeSubSteps)),
  }),
);

/** The fields of `spec` of a `Workflow`. Requirements between fields are in the rules. @spec §2.7 */
export const workflowSpecFields = nameField(
  'WorkflowSpec',
  z.strictObject({
    description: describeField(
      'The only text by which an agent discovers the workflow.',
      z._default(createTextField({ max: MAX_WORKFLOW_DESCRIPTION_CHARS }), ''),
    ),
    args: describeField('Arguments by name.', z.exactOptional(argumentFields)),
    steps: describeField(
      'Run in order; each is exactly one of tool, forEach and parallel.',
      createListField(stepFields, MAX_STEPS),
    ),
    onFailure: describeField(
      'Cleanup after a failure that is not allowed; run in order, tolerating their own failures.',
      z._default(describeSubSteps, []),
    ),
    output: describeField(
      'Template of the returned document, in place of the default one.',
      z.exactOptional(createTemplateMapField()),
    ),
  }),
);

/** `spec` before the rules between fields are evaluated. */
export type WorkflowSpecFields = z.output<typeof workflowSpecFields>;

/** A step before the rules between fields are evaluated. */
export type StepFields = WorkflowSpecFields['steps'][number];

/** A sub-step before the rules between fields are evaluated. */
export type SubStepFields = WorkflowSpecFields['onFailure'][number];
