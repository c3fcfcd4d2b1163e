import { ITEMS, type CelRule } from './cel-rule.ts';

type RuleText = Omit<CelRule, 'path'>;

const SPEC = ['spec'];
const STEP = [...SPEC, 'steps', ITEMS];

/** The places of conditions in the order of a document. */
const CONDITIONS: readonly (readonly string[])[] = [
  [...STEP, 'condition'],
  [...STEP, 'forEach', 'steps', ITEMS, 'condition'],
  [...STEP, 'parallel', ITEMS, 'condition'],
  [...SPEC, 'onFailure', ITEMS, 'condition'],
];

/** The message for a workflow without steps, with the list missing or empty. @spec §7.6 */
export const NO_STEPS = 'workflow must have at least one step';

/** The message for a loop without sub-steps, with the list missing or empty. @spec §7.6 */
export const NO_LOOP_STEPS = 'forEach.steps must contain at least one sub-step';

/** The message for an empty expectation. @spec §2.7 Expectation */
export const NO_EXPECTATION = 'either success or jsonPath must be provided';

const ofSpec: readonly RuleText[] = [
  {
    id: 'steps-not-empty',
    rule: `!has(self.steps) || self.steps != []`,
    message: NO_STEPS,
    fieldPath: '.steps',
    reason: 'FieldValueRequired',
  },
];

const ofSteps: readonly RuleText[] = [
  {
    id: 'step-kind-required',
    rule: `has(self.tool) || has(self.forEach) || has(self.parallel)`,
    message: 'one of tool, forEach, or parallel is required',
    reason: 'FieldValueRequired',
  },
  {
    id: 'tool-excludes-composites',
    rule: `!has(self.tool) || (!has(self.forEach) && !has(self.parallel))`,
    message: 'tool is mutually exclusive with forEach/parallel',
    fieldPath: '.tool',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'composites-exclude-each-other',
    rule: `!has(self.forEach) || !has(self.parallel)`,
    message: 'forEach and parallel are mutually exclusive',
    fieldPath: '.forEach',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'for-each-not-empty',
    rule: `!has(self.forEach) || !has(self.forEach.steps) || self.forEach.steps != []`,
    message: NO_LOOP_STEPS,
    fieldPath: '.forEach.steps',
    reason: 'FieldValueRequired',
  },
  {
    id: 'parallel-not-empty',
    rule: `!has(self.parallel) || self.parallel != []`,
    message: 'parallel must contain at least one sub-step',
    fieldPath: '.parallel',
    reason: 'FieldValueRequired',
  },
];

/** A template needs no expectation; a present one is ignored. */
const expectationNotEmpty = (field: 'expect' | 'expectNot'): RuleText => ({
  id: field === 'expect' ? 'expect-not-empty' : 'expect-not-not-empty',
  rule: `has(self.template) || !has(self.${field}) || has(self.${field}.success) || (has(self.${field}.jsonPath) && size(dyn(self.${field}.jsonPath)) > 0)`,
  message: NO_EXPECTATION,
  fieldPath: `.${field}`,
});

const ofConditions: readonly RuleText[] = [
  {
    id: 'condition-source-required',
    rule: `has(self.template) || has(self.tool) || has(self.fromStep)`,
    message: 'condition requires exactly one of template, tool, or fromStep',
    reason: 'FieldValueRequired',
  },
  {
    id: 'condition-template-alone',
    rule: `!has(self.template) || (!has(self.tool) && !has(self.fromStep))`,
    message: 'condition.template is mutually exclusive with tool/fromStep',
    fieldPath: '.template',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'condition-one-source',
    rule: `!has(self.tool) || !has(self.fromStep)`,
    message:
      'condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)',
    fieldPath: '.fromStep',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'condition-needs-expectation',
    rule: `has(self.template) || (!has(self.tool) && !has(self.fromStep)) || has(self.expect) || has(self.expectNot)`,
    message: 'a tool or fromStep condition requires expect or expectNot',
    reason: 'FieldValueRequired',
  },
  expectationNotEmpty('expect'),
  expectationNotEmpty('expectNot'),
];

const at = (path: CelRule['path'], wordings: readonly RuleText[]): readonly CelRule[] =>
  wordings.map((wording) => ({ ...wording, path }));

/** Every rule between fields of a `Workflow`, at each place to which it applies. @spec §2.7, §7.6 */
export const WORKFLOW_RULES: readonly CelRule[] = [
  ...at(SPEC, ofSpec),
  ...at(STEP, ofSteps),
  ...CONDITIONS.flatMap((path) => at(path, ofConditions)),
];
