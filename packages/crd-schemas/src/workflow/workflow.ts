import type { JsonMap, JsonValue, Path, Template, ValueTemplate } from '@gateway/go-template';
import type { WorkflowDocument } from '../documents/documents.ts';
import type { ObjectMetadata } from '../fields/fields.ts';
import { DEFAULT_LOOP_VARIABLE, DEFAULT_NAMESPACE } from '../fields/limits.ts';

/** `kind` of the resource. @spec §2.7 */
export const WORKFLOW_KIND = 'Workflow';

/** The types of a workflow's arguments. @spec §2.7 */
export const ARGUMENT_TYPES = [
  'string',
  'integer',
  'boolean',
  'number',
  'object',
  'array',
] as const;

/** The type of an argument. @spec §2.7 */
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

/** An entry of `spec.args`. A default has the type of the argument. @spec §2.7 */
export interface ArgumentDefinition {
  readonly type: ArgumentType;
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly description?: string;
}

/** A JSON value of a document, as written and with its templates parsed. */
export interface Templated<Source extends JsonValue = JsonValue> {
  /** The value as written. Its maps have no prototype. */
  readonly source: Source;
  readonly parsed: ValueTemplate;
}

/** A place in a result: a path, or a template over `.result`. @spec §2.7 jsonPath */
export type ResultPlace =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'template'; readonly template: Template };

/** The value that a result must have at a place. @spec §2.7 jsonPath */
export interface ValueExpectation {
  /** The place as written in the document. */
  readonly written: string;
  readonly place: ResultPlace;
  readonly expected: Templated;
}

/** The conditions that a result must satisfy. At least one member is set. @spec §2.7 */
export interface Expectation {
  /** True when the call must have succeeded; both results pass when absent. */
  readonly success?: boolean;
  /** In the order of the document. */
  readonly jsonPath?: readonly ValueExpectation[];
}

/** The expectations of a tool or fromStep condition; at least one of the two. @spec §2.7 */
export interface Expectations {
  readonly expect?: Expectation;
  readonly expectNot?: Expectation;
}

/** Decides whether a step runs; exactly one source. @spec §2.7 */
export type Condition =
  /** `expect` and `expectNot` may be present, and are ignored. */
  | ({ readonly source: 'template'; readonly template: Templated<string> } & Expectations)
  | ({
      readonly source: 'tool';
      readonly tool: string;
      readonly args: Templated<JsonMap>;
    } & Expectations)
  | ({ readonly source: 'fromStep'; readonly fromStep: string } & Expectations);

interface StepBase {
  readonly id: string;
  readonly condition?: Condition;
  /** Absent when the document does not set it; a result is shown when this, or else `store`, is true. */
  readonly output?: boolean;
  /** Deprecated alias of `output`. */
  readonly store?: boolean;
  readonly allowFailure: boolean;
  readonly description?: string;
}

/** A step that calls a tool. Values of `args` may be templates. @spec §2.7 */
export interface ToolStep extends StepBase {
  readonly kind: 'tool';
  readonly tool: string;
  readonly args: Templated<JsonMap>;
}

/** A step inside `forEach`, `parallel` or `onFailure`: always a tool call. @spec §2.7 */
export type SubStep = ToolStep;

/** A step that runs its sub-steps once for each item of a list. @spec §2.7 */
export interface ForEachStep extends StepBase {
  readonly kind: 'forEach';
  readonly forEach: {
    /** A template that renders to a list. */
    readonly items: Templated<string>;
    readonly as: string;
    readonly steps: readonly SubStep[];
  };
}

/** A step whose sub-steps run at once. @spec §2.7 */
export interface ParallelStep extends StepBase {
  readonly kind: 'parallel';
  readonly parallel: readonly SubStep[];
}

/** A step of a workflow. @spec §2.7 */
export type Step = ToolStep | ForEachStep | ParallelStep;

/** `spec` of a `Workflow`. @spec §2.7 */
export interface WorkflowSpec {
  /** Empty when the document has none. */
  readonly description: string;
  /** By name, in the document's order. Without prototype. */
  readonly args: Readonly<Record<string, ArgumentDefinition>>;
  readonly steps: readonly Step[];
  readonly onFailure: readonly SubStep[];
  /** The template of the returned document. */
  readonly output?: Templated<JsonMap>;
}

/** Many tool calls as one tool, as its resource describes it. Deeply frozen except for parsed templates. @spec §1.5, §2.7 */
export interface Workflow {
  readonly apiVersion: string;
  readonly kind: typeof WORKFLOW_KIND;
  readonly metadata: ObjectMetadata;
  readonly spec: WorkflowSpec;
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** Leaves out what is not set. */
const omitAbsent = (fields: Fields): JsonMap =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );

const dropEmptyMap = (map: JsonMap): JsonMap | undefined =>
  Object.keys(map).length === 0 ? undefined : map;

const dropEmptyList = (list: readonly JsonValue[]): readonly JsonValue[] | undefined =>
  list.length === 0 ? undefined : list;

const toJsonPathDocument = (checks: readonly ValueExpectation[]): JsonMap => {
  const map = Object.create(null) as Record<string, JsonValue>;
  for (const { written, expected } of checks) map[written] = expected.source;
  return Object.freeze(map);
};

const toExpectationDocument = ({ success, jsonPath }: Expectation): JsonMap =>
  omitAbsent({ success, jsonPath: jsonPath && toJsonPathDocument(jsonPath) });

const toExpectationFields = ({ expect, expectNot }: Expectations): Fields => ({
  expect: expect === undefined ? undefined : toExpectationDocument(expect),
  expectNot: expectNot === undefined ? undefined : toExpectationDocument(expectNot),
});

const toSourceFields = (condition: Condition): Fields => {
  switch (condition.source) {
    case 'template':
      return { template: condition.template.source };
    case 'tool':
      return { tool: condition.tool, args: dropEmptyMap(condition.args.source) };
    case 'fromStep':
      return { fromStep: condition.fromStep };
  }
};

const toConditionDocument = (condition: Condition): JsonMap =>
  omitAbsent({ ...toSourceFields(condition), ...toExpectationFields(condition) });

const toKindFields = (step: Step): Fields => {
  switch (step.kind) {
    case 'tool':
      return { tool: step.tool, args: dropEmptyMap(step.args.source) };
    case 'forEach': {
      const { items, as, steps } = step.forEach;
      return {
        forEach: omitAbsent({
          items: items.source,
          as: as === DEFAULT_LOOP_VARIABLE ? undefined : as,
          steps: steps.map(toStepDocument),
        }),
      };
    }
    case 'parallel':
      return { parallel: step.parallel.map(toStepDocument) };
  }
};

function toStepDocument(step: Step): JsonMap {
  return omitAbsent({
    id: step.id,
    description: step.description,
    condition: step.condition === undefined ? undefined : toConditionDocument(step.condition),
    ...toKindFields(step),
    output: step.output,
    store: step.store,
    allowFailure: step.allowFailure ? true : undefined,
  });
}

const toArgumentDocument = (definition: ArgumentDefinition): JsonMap =>
  omitAbsent({
    type: definition.type,
    required: definition.required ? true : undefined,
    default: definition.default,
    description: definition.description,
  });

const toArgumentsDocument = (args: WorkflowSpec['args']): JsonMap => {
  const map = Object.create(null) as Record<string, JsonValue>;
  for (const [name, definition] of Object.entries(args)) map[name] = toArgumentDocument(definition);
  return map;
};

const toMetadataDocument = ({ name, namespace, labels, annotations }: ObjectMetadata): JsonMap =>
  omitAbsent({
    name,
    namespace: namespace === DEFAULT_NAMESPACE ? undefined : namespace,
    labels: dropEmptyMap(labels),
    annotations,
  });

/**
 * Returns the canonical document of a workflow: camel case, in one order of keys, without defaults. Parsing it gives an equal
 * workflow. Maps with user-chosen keys have no prototype; parts are frozen.
 *
 * @spec §2.7
 */
export const toWorkflowDocument = ({
  apiVersion,
  kind,
  metadata,
  spec,
}: Workflow): WorkflowDocument => {
  const document = {
    apiVersion,
    kind,
    metadata: toMetadataDocument(metadata),
    spec: omitAbsent({
      description: spec.description === '' ? undefined : spec.description,
      args: dropEmptyMap(toArgumentsDocument(spec.args)),
      steps: spec.steps.map(toStepDocument),
      onFailure: dropEmptyList(spec.onFailure.map(toStepDocument)),
      output: spec.output?.source,
    }),
  };
  // Built key by key, which the type does not follow; a property test proves that it parses to an equal workflow.
  return document as unknown as WorkflowDocument;
};
