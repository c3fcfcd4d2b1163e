import { apiVersionOf } from '../../resource/api-group.ts';
import { MAX_ISSUES } from '../../resource/limits.ts';
import { memberOf } from '../../resource/resource-identity.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';
import { camelCaseDefinition } from './camel-case-definition.ts';
import { definitionProblemText } from './definition-problem-text.ts';
import { parseWorkflow } from '../parsing/parse-workflow.ts';
import { WORKFLOW_KIND, type Workflow } from '../model/workflow.ts';
import type { WorkflowWarning } from '../parsing/workflow-warnings.ts';

/** A workflow, or every problem of its definition (at most 20 lines, never none). */
export type ParsedWorkflowDefinition =
  | {
      readonly ok: true;
      readonly workflow: Workflow;
      readonly warnings: readonly WorkflowWarning[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The facts about the resource that a definition does not contain. */
export interface DefinitionOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly apiGroup?: string;
}

const FIELDS = new Set(['name', 'description', 'args', 'steps', 'onFailure', 'output']);

/** Returns the fields that are set; `null` counts as absent. Unknown fields are included as far as they will be reported. */
const presentFields = (definition: unknown): Record<string, unknown> => {
  const given = Object.create(null) as Record<string, unknown>;
  if (typeof definition !== 'object' || definition === null) return given;
  let unknown = 0;
  for (const key of Object.keys(definition)) {
    if (!FIELDS.has(key)) unknown += 1;
    const value = memberOf(definition, key);
    const isReported = FIELDS.has(key) || unknown <= MAX_ISSUES;
    if (isReported && value !== null && value !== undefined) given[key] = value;
  }
  return given;
};

const documentOf = (definition: unknown, { labels, apiGroup }: DefinitionOptions): unknown => {
  const { name, ...spec } = presentFields(definition);
  return {
    apiVersion: apiVersionOf(apiGroup),
    kind: WORKFLOW_KIND,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
    },
    spec: Object.assign(Object.create(null) as object, spec),
  };
};

/** From the document back to the definition: `metadata.name` is `name`, `spec.steps` is `steps`. */
const inDefinition = ({ path, message }: ValidationIssue): ValidationIssue => ({
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
): ParsedWorkflowDefinition => {
  const { definition, problems } = camelCaseDefinition(given);
  const { apiGroup } = options;
  const parsed = parseWorkflow(
    documentOf(definition, options),
    apiGroup === undefined ? {} : { apiGroup },
  );
  const issues = [...problems, ...(parsed.ok ? [] : parsed.issues.map(inDefinition))];
  if (parsed.ok && issues.length === 0) return parsed;
  const lines = issues.map((issue) => definitionProblemText(issue, definition));
  return { ok: false, problems: [...new Set(lines)].slice(0, MAX_ISSUES) };
};
