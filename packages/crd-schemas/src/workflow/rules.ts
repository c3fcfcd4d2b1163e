import { isMapping } from '../fields/is-mapping.ts';
import { memberOf } from '../resource-identity.ts';
import type { ValidationIssue } from '../validation-issue.ts';
import { placesOf, type StepPlace } from './places-of.ts';
import { rightIdOf } from './step-id.ts';

/** What a rule speaks of: the whole `spec`, a step, a condition of a step or sub-step, `expect` or `expectNot` of one. */
export type WorkflowRuleSubject = 'spec' | 'step' | 'condition' | 'expectation';

/** What one field of a `Workflow` requires of another. @spec §2.7, §7.6 */
export interface WorkflowRule {
  readonly id: string;
  readonly on: WorkflowRuleSubject;
  /** From the subject to the field at fault. */
  readonly path: ValidationIssue['path'];
  readonly message: string;
  /** Whether the rule holds of a subject, which may be wrong in any other way. */
  readonly holds: (subject: unknown) => boolean;
}

const has = (value: unknown, key: string): boolean => memberOf(value, key) !== undefined;
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const countOf = (value: unknown, ...keys: readonly string[]): number =>
  keys.filter((key) => has(value, key)).length;

/** Said of a workflow without steps, whether the list is missing or empty. @spec §7.6 */
export const NO_STEPS = 'workflow must have at least one step';

/** Said of a loop without sub-steps, whether the list is missing or empty. @spec §7.6 */
export const NO_LOOP_STEPS = 'forEach.steps must contain at least one sub-step';

/** Every rule between fields of a `Workflow` but that of unique ids, each exactly once. @spec §2.7, §7.6 */
export const WORKFLOW_RULES: readonly WorkflowRule[] = [
  {
    id: 'steps-not-empty',
    on: 'spec',
    path: ['steps'],
    message: NO_STEPS,
    holds: (spec) => !isEmptyList(memberOf(spec, 'steps')),
  },
  {
    id: 'step-kind-required',
    on: 'step',
    path: [],
    message: 'one of tool, forEach, or parallel is required',
    holds: (step) => countOf(step, 'tool', 'forEach', 'parallel') > 0,
  },
  {
    id: 'tool-excludes-composites',
    on: 'step',
    path: ['tool'],
    message: 'tool is mutually exclusive with forEach/parallel',
    holds: (step) => !has(step, 'tool') || countOf(step, 'forEach', 'parallel') === 0,
  },
  {
    id: 'composites-exclude-each-other',
    on: 'step',
    path: ['forEach'],
    message: 'forEach and parallel are mutually exclusive',
    holds: (step) => countOf(step, 'forEach', 'parallel') < 2,
  },
  {
    id: 'for-each-not-empty',
    on: 'step',
    path: ['forEach', 'steps'],
    message: NO_LOOP_STEPS,
    holds: (step) => !isEmptyList(memberOf(memberOf(step, 'forEach'), 'steps')),
  },
  {
    id: 'parallel-not-empty',
    on: 'step',
    path: ['parallel'],
    message: 'parallel must contain at least one sub-step',
    holds: (step) => !isEmptyList(memberOf(step, 'parallel')),
  },
  {
    id: 'condition-source-required',
    on: 'condition',
    path: [],
    message: 'condition requires exactly one of template, tool, or fromStep',
    holds: (condition) => countOf(condition, 'template', 'tool', 'fromStep') > 0,
  },
  {
    id: 'condition-template-alone',
    on: 'condition',
    path: ['template'],
    message: 'condition.template is mutually exclusive with tool/fromStep',
    holds: (condition) =>
      !has(condition, 'template') || countOf(condition, 'tool', 'fromStep') === 0,
  },
  {
    id: 'condition-one-source',
    on: 'condition',
    path: ['fromStep'],
    message:
      'condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)',
    holds: (condition) => countOf(condition, 'tool', 'fromStep') < 2,
  },
  {
    id: 'condition-needs-expectation',
    on: 'condition',
    path: [],
    message: 'a tool or fromStep condition requires expect or expectNot',
    holds: (condition) =>
      has(condition, 'template') ||
      countOf(condition, 'tool', 'fromStep') === 0 ||
      countOf(condition, 'expect', 'expectNot') > 0,
  },
  {
    id: 'expectation-not-empty',
    on: 'expectation',
    path: [],
    message: 'either success or jsonPath must be provided',
    holds: (expectation) =>
      has(expectation, 'success') || !isEmptyMap(memberOf(expectation, 'jsonPath')),
  },
];

interface Subject {
  readonly on: WorkflowRuleSubject;
  readonly value: unknown;
  readonly path: ValidationIssue['path'];
}

function isEmptyMap(value: unknown): boolean {
  return value === undefined || (isMapping(value) && Object.keys(value).length === 0);
}

/** A template needs no expectation; one that is there nevertheless is not looked at. */
const expectationsOf = (condition: unknown, path: Subject['path']): readonly Subject[] =>
  has(condition, 'template')
    ? []
    : ['expect', 'expectNot'].map((key) => ({
        on: 'expectation',
        value: memberOf(condition, key),
        path: [...path, key],
      }));

const subjectsOf = ({ value, path, within }: StepPlace): readonly Subject[] => {
  const condition = memberOf(value, 'condition');
  const at = [...path, 'condition'];
  return [
    ...(within === '' ? [{ on: 'step' as const, value, path }] : []),
    { on: 'condition', value: condition, path: at },
    ...expectationsOf(condition, at),
  ];
};

const rulesBrokenBy = ({ on, value, path }: Subject): readonly ValidationIssue[] =>
  isMapping(value)
    ? WORKFLOW_RULES.filter((rule) => rule.on === on && !rule.holds(value)).map((rule) => ({
        path: [...path, ...rule.path],
        message: rule.message,
      }))
    : [];

/** Said of an id that an earlier step or sub-step has. @spec §7.6 */
export const repeatedIdText = (id: string): string => `duplicate step ID '${id}' found`;

/** Ids that an earlier step or sub-step has. What is no id at all is reported with the fields. @spec §2.7 id */
const repeatedIds = (places: readonly StepPlace[]): readonly ValidationIssue[] => {
  const seen = new Set<string>();
  return places.flatMap(({ value, path }) => {
    const id = rightIdOf(value);
    if (id === undefined) return [];
    if (seen.has(id)) return [{ path: [...path, 'id'], message: repeatedIdText(id) }];
    seen.add(id);
    return [];
  });
};

/** The rules that `spec` breaks, as issues. @spec §2.7, §7.6 */
export const brokenWorkflowRules = (spec: unknown): readonly ValidationIssue[] => {
  const places = placesOf(spec);
  const subjects: readonly Subject[] = [
    { on: 'spec', value: spec, path: ['spec'] },
    ...places.flatMap(subjectsOf),
  ];
  return [...subjects.flatMap(rulesBrokenBy), ...repeatedIds(places)];
};
