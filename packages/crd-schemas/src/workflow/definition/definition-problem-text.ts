import { memberOf } from '../../resource/resource-identity.ts';
import {
  issuePathText,
  problemText,
  validationIssueText,
  type ValidationIssue,
} from '../../resource/validation-issue.ts';
import { TOO_MANY_STEPS } from '../parsing/parse-workflow.ts';
import { repeatedIdText } from '../parsing/repeated-ids.ts';
import {
  NO_EXPECTATION,
  NO_LOOP_STEPS,
  NO_STEPS,
  WORKFLOW_RULES,
} from '../../rules/workflow-rules.ts';
import { rightIdOf } from '../model/step-id.ts';

type Path = ValidationIssue['path'];

/** The subject of a problem, and the path from there to the value. */
interface Context {
  readonly kind: 'definition' | 'argument' | 'step' | 'sub-step';
  readonly words: string;
  readonly rest: Path;
  /** The step's or sub-step's, if it can be shown. */
  readonly id?: string | undefined;
  /** The list of a sub-step, as text; empty for everything else. */
  readonly group: string;
}

const MISSING = new Set(['must not be empty', 'must have a value']);
const isMissing = ({ path, message }: ValidationIssue): boolean =>
  MISSING.has(message) || message === `${String(path.at(-1))} is required`;

const entryAt = (list: unknown, index: number): unknown =>
  Array.isArray(list) ? list[index] : undefined;

const subStepContext = (group: string, list: unknown, index: number, rest: Path): Context => {
  const id = rightIdOf(entryAt(list, index));
  return { kind: 'sub-step', words: `${group} sub-step ${id ?? String(index)}`, rest, id, group };
};

const stepContext = (step: unknown, index: number, rest: Path): Context => {
  const id = rightIdOf(step);
  const [group, second, third] = rest;
  const name = `step ${id ?? String(index)}`;
  if (group === 'forEach' && second === 'steps' && typeof third === 'number') {
    const list = memberOf(memberOf(step, 'forEach'), 'steps');
    return subStepContext(`${name} forEach`, list, third, rest.slice(3));
  }
  if (group === 'parallel' && typeof second === 'number') {
    return subStepContext(`${name} parallel`, memberOf(step, 'parallel'), second, rest.slice(2));
  }
  const words =
    id === undefined || (group === 'forEach' && second !== undefined)
      ? name
      : `step ${String(index)} (${id})`;
  return { kind: 'step', words, rest, id, group: '' };
};

const contextOf = (path: Path, definition: unknown): Context => {
  const [field, key, ...rest] = path;
  if (field === 'args' && key !== undefined) {
    return { kind: 'argument', words: `argument ${issuePathText([key])}`, rest, group: '' };
  }
  if (field === 'steps' && typeof key === 'number') {
    return stepContext(entryAt(memberOf(definition, 'steps'), key), key, rest);
  }
  if (field === 'onFailure' && typeof key === 'number') {
    return subStepContext('onFailure', memberOf(definition, 'onFailure'), key, rest);
  }
  return { kind: 'definition', words: '', rest: path, group: '' };
};

/** Sentences of their own for what is missing, by where it is missing. */
const missing: Readonly<Record<Context['kind'], Readonly<Record<string, string>>>> = {
  definition: {
    name: 'workflow name is required',
    steps: NO_STEPS,
  },
  argument: { type: 'type is required' },
  step: {
    id: 'step ID cannot be empty',
    'forEach.items': 'forEach.items is required',
    'forEach.steps': NO_LOOP_STEPS,
  },
  'sub-step': { id: 'id cannot be empty', tool: 'tool cannot be empty' },
};

/** Sentences that name their fields themselves. */
const complete = new Set([
  ...WORKFLOW_RULES.map(({ message }) => message).filter((message) => message !== NO_EXPECTATION),
  TOO_MANY_STEPS.message,
]);

const sentenceOf = (issue: ValidationIssue, { kind, rest }: Context): string => {
  const field = issuePathText(rest);
  if (isMissing(issue) && Object.hasOwn(missing[kind], field)) {
    return missing[kind][field] ?? issue.message;
  }
  return complete.has(issue.message)
    ? issue.message
    : validationIssueText({ path: rest, message: issue.message });
};

/** A duplicate id is reported with its list, because the id alone is ambiguous. */
const repeatedText = ({ message }: ValidationIssue, { id, group }: Context): string | undefined => {
  if (id === undefined || message !== repeatedIdText(id)) return undefined;
  return group === '' ? message : `${group}: duplicate sub-step id '${id}'`;
};

const entryText = (issue: ValidationIssue, context: Context): string => {
  const repeated = repeatedText(issue, context);
  if (repeated !== undefined) return repeated;
  const sentence = sentenceOf(issue, context);
  return context.words === '' ? sentence : `${context.words}: ${sentence}`;
};

/**
 * Returns a problem of a definition as one line of at most 300 characters about a step instead of a path. A problem inside `args` or `steps` begins with
 * the name of that field. `path` begins at the definition.
 */
export const definitionProblemText = (issue: ValidationIssue, definition: unknown): string => {
  const context = contextOf(issue.path, definition);
  const text = entryText(issue, context);
  // The texts about handlers contain the name of their field.
  const isNamed = context.kind === 'definition' || issue.path[0] === 'onFailure';
  return problemText(isNamed ? text : `${String(issue.path[0])}: ${text}`);
};
