import type { JsonMap, JsonValue } from '@gateway/go-template';
import * as z from 'zod/mini';
import { issuesOfZod, issuesWithRules } from '../fields/issues-of-zod.ts';
import { MAX_ALL_STEPS, MAX_ISSUES } from '../fields/limits.ts';
import { objectMetadataFields, objectMetadataOf } from '../fields/object-metadata.ts';
import {
  apiVersionOf,
  identityIssues,
  memberOf,
  type ValidationIssue,
} from '../fields/validation-issue.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';
import {
  type ConditionFields,
  type ExpectationFields,
  type StepFields,
  type SubStepFields,
  type WorkflowSpecFields,
  workflowSpecFields,
} from './spec-fields.ts';
import { hasTooManySteps, placesOf, rightIdOf } from './step-places.ts';
import { warningsOf, type WorkflowWarning } from './workflow-warnings.ts';
import {
  type ArgumentDefinition,
  type Condition,
  type Expectation,
  type Expectations,
  type Step,
  type SubStep,
  type Templated,
  type ValueExpectation,
  type Workflow,
  WORKFLOW_KIND,
  type WorkflowSpec,
} from './workflow.ts';

/** Returns the message for an id that an earlier step or sub-step has. @spec §7.6 */
export const repeatedIdText = (id: string): string => `duplicate step ID '${id}' found`;

/** Returns issues for ids that an earlier step or sub-step has. Invalid ids are reported with the fields. @spec §2.7 id */
const repeatedIds = (spec: unknown): readonly ValidationIssue[] => {
  const seen = new Set<string>();
  return placesOf(spec).flatMap(({ value, path }) => {
    const id = rightIdOf(value);
    if (id === undefined) return [];
    if (seen.has(id)) return [{ path: [...path, 'id'], message: repeatedIdText(id) }];
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

const valueExpectationsOf = (
  entries: NonNullable<ExpectationFields['jsonPath']>,
): readonly ValueExpectation[] =>
  Object.freeze(
    entries.map(({ written, key, value }) =>
      Object.freeze({ written, place: key, expected: value }),
    ),
  );

const expectationOf = ({ success, jsonPath: entries }: ExpectationFields): Expectation => {
  if (entries === undefined) return Object.freeze(success === undefined ? {} : { success });
  const jsonPath = valueExpectationsOf(entries);
  return Object.freeze(success === undefined ? { jsonPath } : { success, jsonPath });
};

const expectationsOf = ({ expect, expectNot }: ConditionFields): Expectations => ({
  ...(expect === undefined ? {} : { expect: expectationOf(expect) }),
  ...(expectNot === undefined ? {} : { expectNot: expectationOf(expectNot) }),
});

const conditionOf = (fields: ConditionFields): Condition => {
  const { template, tool, args, fromStep } = fields;
  const expectations = expectationsOf(fields);
  if (template !== undefined) {
    return Object.freeze({ source: 'template', template, ...expectations });
  }
  if (tool !== undefined) {
    return Object.freeze({ source: 'tool', tool, args: args ?? NO_ARGS, ...expectations });
  }
  if (fromStep === undefined) throw new Error('a condition got past the rules without a source');
  return Object.freeze({ source: 'fromStep', fromStep, ...expectations });
};

const baseOf = ({
  id,
  condition,
  output,
  store,
  allowFailure,
  description,
}: StepFields | SubStepFields) => ({
  id,
  ...(condition === undefined ? {} : { condition: conditionOf(condition) }),
  ...(output === undefined ? {} : { output }),
  ...(store === undefined ? {} : { store }),
  allowFailure,
  ...(description === undefined ? {} : { description }),
});

const subStepOf = (fields: SubStepFields): SubStep =>
  Object.freeze({
    kind: 'tool',
    ...baseOf(fields),
    tool: fields.tool,
    args: fields.args ?? NO_ARGS,
  });

const stepOf = (fields: StepFields): Step => {
  const { tool, args, forEach, parallel } = fields;
  if (tool !== undefined) {
    return Object.freeze({ kind: 'tool', ...baseOf(fields), tool, args: args ?? NO_ARGS });
  }
  if (forEach !== undefined) {
    const steps = Object.freeze(forEach.steps.map(subStepOf));
    return Object.freeze({
      kind: 'forEach',
      ...baseOf(fields),
      forEach: Object.freeze({ items: forEach.items, as: forEach.as, steps }),
    });
  }
  if (parallel === undefined) throw new Error('a step got past the rules without a kind');
  return Object.freeze({
    kind: 'parallel',
    ...baseOf(fields),
    parallel: Object.freeze(parallel.map(subStepOf)),
  });
};

/** Returns the spec of fields that satisfy every rule; fields without meaning for the kind of a step are dropped. */
const specOfFields = (fields: WorkflowSpecFields): WorkflowSpec =>
  Object.freeze({
    description: fields.description,
    args: fields.args ?? NO_ARGUMENTS,
    steps: Object.freeze(fields.steps.map(stepOf)),
    onFailure: Object.freeze(fields.onFailure.map(subStepOf)),
    ...(fields.output === undefined ? {} : { output: fields.output }),
  });

/** A workflow with its warnings, or every problem that its document has (at most 20, never none). */
export type ParsedWorkflow =
  | {
      readonly ok: true;
      readonly workflow: Workflow;
      readonly warnings: readonly WorkflowWarning[];
    }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** The top level of the document. `status` is written by the cluster and ignored. @spec §2.7 */
const documentFields = z.strictObject({
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
): ParsedWorkflow => {
  const spec = memberOf(document, 'spec');
  if (hasTooManySteps(spec)) return { ok: false, issues: [TOO_MANY_STEPS] };
  const apiVersion = apiVersionOf(options.apiGroup);
  const parsed = documentFields.safeParse(document);
  const issues = [
    ...identityIssues(document, { apiVersion, kind: WORKFLOW_KIND }),
    ...issuesWithRules(parsed.success ? [] : issuesOfZod(parsed.error, document), {
      ...{ ofRules: evaluateRules(WORKFLOW_KIND, spec), document },
    }),
    ...repeatedIds(spec),
  ];
  if (!parsed.success || issues.length > 0) {
    return { ok: false, issues: issues.slice(0, MAX_ISSUES) };
  }
  const metadata = objectMetadataOf(parsed.data.metadata);
  const workflow = Object.freeze({
    apiVersion,
    kind: WORKFLOW_KIND,
    metadata,
    spec: specOfFields(parsed.data.spec),
  });
  return { ok: true, workflow, warnings: warningsOf(spec) };
};
