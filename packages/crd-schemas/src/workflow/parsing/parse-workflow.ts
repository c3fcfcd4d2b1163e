import * as z from 'zod/mini';
import { apiVersionOf } from '../../resource/api-group.ts';
import { issuesOfZod, issuesWithRules } from '../../fields/issues-of-zod.ts';
import { MAX_ALL_STEPS, MAX_ISSUES } from '../../resource/limits.ts';
import { objectMetadataFields, objectMetadataOf } from '../../fields/object-metadata.ts';
import { identityIssues, memberOf } from '../../resource/resource-identity.ts';
import { evaluateRules } from '../../rules/evaluate-rules.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';
import { hasTooManySteps } from '../model/places-of.ts';
import { repeatedIds } from './repeated-ids.ts';
import { workflowSpecFields } from '../fields/spec-fields.ts';
import { specOfFields } from '../fields/spec-of-fields.ts';
import { WORKFLOW_KIND, type Workflow } from '../model/workflow.ts';
import { warningsOf, type WorkflowWarning } from './workflow-warnings.ts';

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
  options: { readonly apiGroup?: string } = {},
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
