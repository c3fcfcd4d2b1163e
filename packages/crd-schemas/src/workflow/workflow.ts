import type { JsonMap, JsonValue, Path, Template, ValueTemplate } from '@gateway/go-template';
import type { ObjectMetadata } from '../fields/fields.ts';

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
