import type { JsonMap, JsonValue } from '@gateway/go-template';
import type { Result } from '@gateway/toolset-grammar';
import * as z from 'zod/mini';
import { freezeDeep, objectMetadataFields, toObjectMetadata } from '../fields/fields.ts';
import {
  type ValidationIssue,
  formatApiVersion,
  listZodIssues,
  mergeRuleIssues,
  readOwnMember,
  validateIdentity,
} from '../fields/validation-issue.ts';
import { MAX_ALL_STEPS, MAX_ISSUES } from '../fields/limits.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';
import {
  type ConditionFields,
  type ExpectationFields,
  type StepFields,
  type SubStepFields,
  type WorkflowSpecFields,
  workflowSpecFields,
} from './spec-fields.ts';
import {
  type WorkflowWarning,
  findValidStepId,
  hasTooManySteps,
  listStepPlaces,
  listWorkflowWarnings,
} from './step-places.ts';
import {
  type ArgumentDefinition,
  type Condition,
  type Expectation,
  type Expectations,
  type Step,
  type SubStep,
  type Templated,
  type Workflow,
  WORKFLOW_KIND,
  type WorkflowSpec,
} from './workflow.ts';

/** Returns the message for an id that an earlier step or sub-step has. @spec §7.6 */
export const formatRepeatedId = (id: string): string => `duplicate step ID '${id}' found`;

/** Returns issues for ids that an earlier step or sub-step has. Invalid ids are reported with the fields. @spec §2.7 id */
const listDuplicateIdIssues = (spec: unknown): readonly ValidationIssue[] => {
  const seen = new Set<string>();
  return listStepPlaces(spec).flatMap(({ value, path }) => {
    const id = findValidStepId(value);
    if (id === undefined) return [];
    if (seen.has(id)) return [{ path: [...path, 'id'], message: formatRepeatedId(id) }];
    seen.add(id);
    return [];
  });
};

const NO_VALUES: JsonMap = Object.freeze(Object.create(null) as Record<string, JsonValue>);
const NO_ARGS: Templated<JsonMap> = Object.freeze({
  source: NO_VALUES,
  parsed: { kind: 'constant' as const, value: NO_VALUES },
});
const NO_ARGUMENTS: Readonly<Record<string, ArgumentDefinition>> = Object.freeze(
  Object.create(null) as Record<string, ArgumentDefinition>,
);

const parseExpectation = ({ jsonPath, ...rest }: ExpectationFields): Expectation => ({
  ...rest,
  ...(jsonPath && {
    jsonPath: jsonPath.map(({ written, key, value }) => ({ written, place: key, expected: value })),
  }),
});

const parseCondition = (fields: ConditionFields): Condition => {
  const { template, tool, args = NO_ARGS, fromStep, expect, expectNot } = fields;
  const expectations: Expectations = {
    ...(expect && { expect: parseExpectation(expect) }),
    ...(expectNot && { expectNot: parseExpectation(expectNot) }),
  };
  if (template !== undefined) return { source: 'template', template, ...expectations };
  if (tool !== undefined) return { source: 'tool', tool, args, ...expectations };
  if (fromStep === undefined) throw new Error('a condition got past the rules without a source');
  return { source: 'fromStep', fromStep, ...expectations };
};

/** Returns what steps of all kinds have. */
const parseBase = (fields: StepFields | SubStepFields) => {
  const { tool: _tool, args: _args, forEach: _forEach, parallel: _parallel, ...others } = fields;
  const { condition, ...base } = others;
  return { ...base, ...(condition && { condition: parseCondition(condition) }) };
};

const parseSubStep = (fields: SubStepFields): SubStep => {
  const { tool, args = NO_ARGS } = fields;
  return { kind: 'tool', ...parseBase(fields), tool, args };
};

const parseStep = (fields: StepFields): Step => {
  const { tool, args = NO_ARGS, forEach, parallel } = fields;
  const base = parseBase(fields);
  if (tool !== undefined) return { kind: 'tool', ...base, tool, args };
  if (forEach !== undefined)
    return {
      kind: 'forEach',
      ...base,
      forEach: { ...forEach, steps: forEach.steps.map(parseSubStep) },
    };
  if (parallel === undefined) throw new Error('a step got past the rules without a kind');
  return { kind: 'parallel', ...base, parallel: parallel.map(parseSubStep) };
};

/** Returns the spec of fields that satisfy every rule; fields without meaning for the kind of a step are dropped. */
const parseSpec = ({
  args = NO_ARGUMENTS,
  steps,
  onFailure,
  ...rest
}: WorkflowSpecFields): WorkflowSpec => ({
  ...rest,
  args,
  steps: steps.map(parseStep),
  onFailure: onFailure.map(parseSubStep),
});

/** A valid workflow with the warnings about its document. */
export interface WorkflowReview {
  readonly workflow: Workflow;
  readonly warnings: readonly WorkflowWarning[];
}

/** The top level of the document. `status` is written by the cluster and ignored. @spec §2.7 */
const toDocumentFields = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: objectMetadataFields,
  spec: workflowSpecFields,
  status: z.exactOptional(z.unknown()),
});

/** Reported alone, because validating so many steps takes too long. */
export const TOO_MANY_STEPS: ValidationIssue = {
  path: ['spec', 'steps'],
  message: `workflow must have at most ${String(MAX_ALL_STEPS)} steps, sub-steps and handlers`,
};

/**
 * Parses a `Workflow` document: fields, bounds, unknown keys, the rules between fields, and the syntax of every template and
 * path, all reported together. Never throws for plain data. Defaults are filled in; the result is deeply frozen except for parsed templates, and shares
 * nothing mutable with the document.
 *
 * @param options.apiGroup the group that `apiVersion` must name; `gateway.internal` when absent
 * @spec §1.5, §2.7, §7.6, §8, §9.1
 */
export const parseWorkflow = (
  document: unknown,
  options: { readonly apiGroup?: string | undefined } = {},
): Result<WorkflowReview, readonly ValidationIssue[]> => {
  const spec = readOwnMember(document, 'spec');
  if (hasTooManySteps(spec)) return { ok: false, error: [TOO_MANY_STEPS] };
  const apiVersion = formatApiVersion(options.apiGroup);
  const parsed = toDocumentFields.safeParse(document);
  const issues = [
    ...validateIdentity(document, { apiVersion, kind: WORKFLOW_KIND }),
    ...mergeRuleIssues(parsed.success ? [] : listZodIssues(parsed.error, document), {
      ofRules: evaluateRules(WORKFLOW_KIND, spec),
      document,
    }),
    ...listDuplicateIdIssues(spec),
  ];
  if (!parsed.success || issues.length > 0) {
    return { ok: false, error: issues.slice(0, MAX_ISSUES) };
  }
  const metadata = toObjectMetadata(parsed.data.metadata);
  const workflow: Workflow = freezeDeep({
    apiVersion,
    kind: WORKFLOW_KIND,
    metadata,
    spec: parseSpec(parsed.data.spec),
  });
  return { ok: true, value: { workflow, warnings: listWorkflowWarnings(spec) } };
};
