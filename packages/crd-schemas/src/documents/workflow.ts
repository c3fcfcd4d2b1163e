// Generated from the definitions of the fields by `pnpm gen`.
import type { JsonMap, JsonValue } from '@gateway/go-template';
import type { MetadataDocument } from './metadata.ts';

/** A document of the kind `Workflow`, as it is written. @spec §1.5 */
export type WorkflowDocument = {
  /** API group and version: `gateway.internal/v1alpha1`, unless configured otherwise. */
  readonly apiVersion: string;
  readonly kind: 'Workflow';
  readonly metadata: MetadataDocument;
  readonly spec: WorkflowSpecDocument;
  /** Written by the gateway. Accepted and ignored. */
  readonly status?: JsonValue;
};

/** `spec` of a `Workflow`. */
export type WorkflowSpecDocument = {
  /** The only text by which an agent discovers the workflow. At most 1000 characters. Default: `""`. */
  readonly description?: string;
  /** Arguments by name. */
  readonly args?: Readonly<Record<string, ArgumentDefinitionDocument>>;
  /** Run in order; each is exactly one of tool, forEach and parallel. */
  readonly steps: readonly StepDocument[];
  /** Cleanup after a failure that is not allowed; run in order, tolerating their own failures. Default: `[]`. */
  readonly onFailure?: readonly SubStepDocument[];
  /** Template of the returned document, in place of the default one. */
  readonly output?: JsonMap;
};

/** One argument of a workflow. */
export type ArgumentDefinitionDocument = {
  /** JSON type of the argument; nothing is converted. */
  readonly type: 'string' | 'integer' | 'boolean' | 'number' | 'object' | 'array';
  /** Requires callers to set the argument. Default: `false`. */
  readonly required?: boolean;
  /** Used when the caller omits the argument. Must have the type of the argument. */
  readonly default?: JsonValue;
  /** The purpose of the argument, shown to callers. At most 500 characters. */
  readonly description?: string;
};

/** A step that calls a tool. */
export type ToolStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  /** Arguments of the tool; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}. */
  readonly args?: JsonMap;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  /** Exposed name of the tool to call. At most 512 characters. */
  readonly tool: string;
  readonly forEach?: never;
  readonly parallel?: never;
};

/** A step that runs its sub-steps once for each item of a list. */
export type ForEachStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  readonly args?: never;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  readonly tool?: never;
  /** Runs its steps once for each item. */
  readonly forEach: ForEachDocument;
  readonly parallel?: never;
};

/** A step whose sub-steps run at once. */
export type ParallelStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  readonly args?: never;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  readonly tool?: never;
  readonly forEach?: never;
  /** Sub-steps that run at once. */
  readonly parallel: readonly SubStepDocument[];
};

/** One step of a workflow. */
export type StepDocument = ToolStepDocument | ForEachStepDocument | ParallelStepDocument;

/** A condition that is rendered. */
export type TemplateConditionDocument = {
  /** Runs the step only when it renders to true. At most 262144 characters. */
  readonly template: string;
  readonly tool?: never;
  readonly args?: never;
  readonly fromStep?: never;
  /** The expectation that must hold. */
  readonly expect?: ExpectationDocument;
  /** The expectation that must not hold. */
  readonly expectNot?: ExpectationDocument;
};

/** A condition on what a tool answers. */
export type ToolConditionDocument = {
  readonly template?: never;
  /** Tool to call for the check. At most 512 characters. */
  readonly tool: string;
  /** Arguments of the tool; texts may be templates. */
  readonly args?: JsonMap;
  readonly fromStep?: never;
  /** The expectation that must hold. */
  readonly expect?: ExpectationDocument;
  /** The expectation that must not hold. */
  readonly expectNot?: ExpectationDocument;
};

/** A condition on the result of an earlier step. */
export type FromStepConditionDocument = {
  readonly template?: never;
  readonly tool?: never;
  readonly args?: never;
  /** ID of the earlier step whose result is checked. At most 80 characters. */
  readonly fromStep: string;
  /** The expectation that must hold. */
  readonly expect?: ExpectationDocument;
  /** The expectation that must not hold. */
  readonly expectNot?: ExpectationDocument;
};

/** The condition for running a step. */
export type ConditionDocument =
  TemplateConditionDocument | ToolConditionDocument | FromStepConditionDocument;

/** The requirements for a result. */
export type ExpectationDocument = {
  /** True for a call that succeeded, false for one that failed. */
  readonly success?: boolean;
  /** Path in the result, or template over .result, to the value that must be there. */
  readonly jsonPath?: Readonly<Record<string, JsonValue>>;
};

/** A loop. */
export type ForEachDocument = {
  /** Template that gives a list. At most 262144 characters. */
  readonly items: string;
  /** Name of the item: {{ .vars.<as> }}, its index {{ .vars.<as>_index }}. At most 63 characters. Default: `"item"`. */
  readonly as?: string;
  /** Run in order for each item. */
  readonly steps: readonly SubStepDocument[];
};

/** A step inside of `forEach`, `parallel` or `onFailure`: always a tool call. */
export type SubStepDocument = {
  /** Unique in the workflow. At most 63 characters. */
  readonly id: string;
  /** Arguments of the tool; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}. */
  readonly args?: JsonMap;
  /** The condition for running the step: exactly one of template, tool, fromStep. */
  readonly condition?: ConditionDocument;
  /** Show the result in the returned document. */
  readonly output?: boolean;
  /** Deprecated: use output. */
  readonly store?: boolean;
  /** Go on when this fails. Default: `false`. */
  readonly allowFailure?: boolean;
  /** The purpose of the step. At most 500 characters. */
  readonly description?: string;
  /** Exposed name of the tool to call. At most 512 characters. */
  readonly tool: string;
};
