import type { JsonValue, Step, SubStep, Workflow } from '@gateway/crd-schemas';
import { isJsonList } from '@gateway/go-template';

/** Of the data itself: `.results.input.x` is something else. */
const INPUT_REFERENCE = /(?<![\w\])-])\.(input(?:\.[\w-]+|\[\d+\])+)/g;

const stepsInside = (step: Step): readonly SubStep[] => {
  switch (step.kind) {
    case 'tool':
      return [step];
    case 'forEach':
      return step.forEach.steps;
    case 'parallel':
      return step.parallel;
  }
};

/** Yields the texts of actions in order. A regular expression would search for an end after each `{{` again. */
function* actionsIn(text: string): Generator<string> {
  for (let start = text.indexOf('{{'); start >= 0;) {
    const end = text.indexOf('}}', start);
    if (end < 0) return;
    yield text.slice(start, end);
    start = text.indexOf('{{', end);
  }
}

const collect = (value: JsonValue, found: Set<string>): void => {
  if (typeof value === 'string') {
    for (const action of actionsIn(value)) {
      for (const [, path] of action.matchAll(INPUT_REFERENCE))
        if (path !== undefined) found.add(path);
    }
  } else if (isJsonList(value)) {
    for (const item of value) collect(item, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collect(item, found);
  }
};

const known = new WeakMap<Workflow, readonly string[]>();

/**
 * The arguments that the steps of a workflow refer to, as `input.<path>`: each once, in the order of the document. Read from
 * the text of the step arguments, whether the step runs or not.
 */
export const templateVarsOf = (workflow: Workflow): readonly string[] => {
  const before = known.get(workflow);
  if (before !== undefined) return before;
  const found = new Set<string>();
  const steps = [...workflow.spec.steps.flatMap(stepsInside), ...workflow.spec.onFailure];
  for (const { args } of steps) collect(args.source, found);
  const vars = Object.freeze([...found]);
  known.set(workflow, vars);
  return vars;
};
