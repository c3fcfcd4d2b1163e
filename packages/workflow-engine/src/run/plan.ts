import type {
  Condition,
  Expectations,
  JsonMap,
  Step,
  SubStep,
  Templated,
  Workflow,
} from '@gateway/crd-schemas';
import { listMemberTemplates, type ValueTemplate } from '@gateway/go-template';

/** The arguments of a call, each on its own so that a failure can name it. */
export interface ArgumentsPlan {
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly values: readonly ValueTemplate[];
}

/** A condition that is ready to be decided. @spec §2.7 */
export type ConditionPlan =
  | { readonly source: 'template'; readonly template: ValueTemplate }
  | {
      readonly source: 'tool';
      readonly tool: string;
      readonly args: ArgumentsPlan;
      readonly expected: Expectations;
    }
  | { readonly source: 'fromStep'; readonly step: string; readonly expected: Expectations };

interface StepPlanBase {
  readonly id: string;
  readonly allowFailure: boolean;
  /** True when the flags of the step request its result in the returned document. */
  readonly shown: boolean;
  readonly condition: ConditionPlan | undefined;
}

export interface CallPlan extends StepPlanBase {
  readonly kind: 'tool';
  readonly tool: string;
  readonly args: ArgumentsPlan;
}

export interface LoopPlan extends StepPlanBase {
  readonly kind: 'forEach';
  /** The template as written. */
  readonly expression: string;
  readonly items: ValueTemplate;
  readonly as: string;
  readonly steps: readonly CallPlan[];
}

/** Prepared calls that run concurrently. */
export interface GroupPlan extends StepPlanBase {
  readonly kind: 'parallel';
  readonly steps: readonly CallPlan[];
}

/** A step that is ready to run. */
export type StepPlan = CallPlan | LoopPlan | GroupPlan;

/** A workflow that is ready to run. */
export interface Plan {
  readonly steps: readonly StepPlan[];
  readonly onFailure: readonly CallPlan[];
}

const planArguments = (args: Templated<JsonMap>): ArgumentsPlan => {
  const members = listMemberTemplates(args.parsed);
  return { names: members.map(([name]) => name), values: members.map(([, value]) => value) };
};

const planCondition = (condition: Condition): ConditionPlan => {
  switch (condition.source) {
    case 'template':
      return { source: 'template', template: condition.template.parsed };
    case 'tool':
      return {
        source: 'tool',
        tool: condition.tool,
        args: planArguments(condition.args),
        expected: condition,
      };
    case 'fromStep':
      return {
        source: 'fromStep',
        step: condition.fromStep,
        expected: condition,
      };
  }
};

const createPlanBase = (step: Step): StepPlanBase => ({
  id: step.id,
  allowFailure: step.allowFailure,
  shown: step.output ?? step.store ?? false,
  condition: step.condition === undefined ? undefined : planCondition(step.condition),
});

const callPlan = (step: SubStep): CallPlan => ({
  ...createPlanBase(step),
  kind: 'tool',
  tool: step.tool,
  args: planArguments(step.args),
});

const planStep = (step: Step): StepPlan => {
  switch (step.kind) {
    case 'tool':
      return callPlan(step);
    case 'forEach':
      return {
        ...createPlanBase(step),
        kind: 'forEach',
        expression: step.forEach.items.source,
        items: step.forEach.items.parsed,
        as: step.forEach.as,
        steps: step.forEach.steps.map(callPlan),
      };
    case 'parallel':
      return { ...createPlanBase(step), kind: 'parallel', steps: step.parallel.map(callPlan) };
  }
};

const plans = new WeakMap<Workflow, Plan>();

/** Returns the plan of a workflow. It is created once for each object, because a parsed workflow never changes. */
export const createPlan = (workflow: Workflow): Plan => {
  const known = plans.get(workflow);
  if (known !== undefined) return known;
  const plan: Plan = {
    steps: workflow.spec.steps.map(planStep),
    // A handler that fails does not stop the other handlers.
    onFailure: workflow.spec.onFailure.map((step) => ({ ...callPlan(step), allowFailure: true })),
  };
  plans.set(workflow, plan);
  return plan;
};
