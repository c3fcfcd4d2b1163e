import { textProblem } from '../fields/bounded-text.ts';
import { STEP_ID } from '../fields/text-pattern.ts';
import { MAX_STEP_ID_CHARS } from '../limits.ts';
import { memberOf } from '../resource-identity.ts';
import { issuePathText, validationIssueText, type ValidationIssue } from '../validation-issue.ts';
import { idOf } from './places-of.ts';

type Path = ValidationIssue['path'];

/** What a problem speaks of, and the way from there to the value. */
interface Context {
  readonly kind: 'definition' | 'argument' | 'step' | 'sub-step';
  readonly words: string;
  readonly rest: Path;
}

const MISSING = new Set(['must not be empty', 'must have a value']);
const isMissing = ({ path, message }: ValidationIssue): boolean =>
  MISSING.has(message) || message === `${String(path.at(-1))} is required`;

const entryAt = (list: unknown, index: number): unknown =>
  Array.isArray(list) ? list[index] : undefined;

/** The id, if it can be shown. */
const shownId = (step: unknown): string | undefined => {
  const id = idOf(step);
  const bounds = { min: 1, max: MAX_STEP_ID_CHARS, pattern: STEP_ID };
  return textProblem(id, bounds) === undefined ? id : undefined;
};

const subStepContext = (group: string, list: unknown, index: number, rest: Path): Context => {
  const words = `${group} sub-step ${shownId(entryAt(list, index)) ?? String(index)}`;
  return { kind: 'sub-step', words, rest };
};

const stepContext = (step: unknown, index: number, rest: Path): Context => {
  const id = shownId(step);
  const [group, second, third] = rest;
  const name = `step ${id ?? String(index)}`;
  if (group === 'forEach' && second === 'steps' && typeof third === 'number') {
    const list = memberOf(memberOf(step, 'forEach'), 'steps');
    return subStepContext(`${name} forEach`, list, third, rest.slice(3));
  }
  if (group === 'parallel' && typeof second === 'number') {
    return subStepContext(`${name} parallel`, memberOf(step, 'parallel'), second, rest.slice(2));
  }
  const words = id === undefined || group === 'forEach' ? name : `step ${String(index)} (${id})`;
  return { kind: 'step', words, rest };
};

const contextOf = (path: Path, definition: unknown): Context => {
  const [field, key, ...rest] = path;
  if (field === 'args' && key !== undefined) {
    return { kind: 'argument', words: `argument ${issuePathText([key])}`, rest };
  }
  if (field === 'steps' && typeof key === 'number') {
    return stepContext(entryAt(memberOf(definition, 'steps'), key), key, rest);
  }
  if (field === 'onFailure' && typeof key === 'number') {
    return subStepContext('onFailure', memberOf(definition, 'onFailure'), key, rest);
  }
  return { kind: 'definition', words: '', rest: path };
};

/** Sentences of their own for what is missing, by where it is missing. */
const missing: Readonly<Record<Context['kind'], Readonly<Record<string, string>>>> = {
  definition: {
    name: 'workflow name is required',
    steps: 'workflow must have at least one step',
  },
  argument: { type: 'type is required' },
  step: { id: 'step ID cannot be empty', 'forEach.items': 'forEach.items is required' },
  'sub-step': { id: 'id cannot be empty', tool: 'tool cannot be empty' },
};

/** Messages that name their field themselves. */
const NAMES_ITS_FIELD =
  /^(?:(?:tool|forEach|parallel|condition|workflow|set)\b|a (?:tool|sub-step) )/;

const sentenceOf = (issue: ValidationIssue, { kind, rest }: Context): string => {
  const field = issuePathText(rest);
  const ownWords = isMissing(issue) && Object.hasOwn(missing[kind], field);
  if (ownWords) return missing[kind][field] ?? issue.message;
  const namesItself = NAMES_ITS_FIELD.test(issue.message);
  return namesItself ? issue.message : validationIssueText({ path: rest, message: issue.message });
};

/** One line about a problem of a definition, in words about steps instead of paths. `path` begins at the definition. */
export const definitionProblemText = (issue: ValidationIssue, definition: unknown): string => {
  const context = contextOf(issue.path, definition);
  const sentence = sentenceOf(issue, context);
  return context.words === '' ? sentence : `${context.words}: ${sentence}`;
};
