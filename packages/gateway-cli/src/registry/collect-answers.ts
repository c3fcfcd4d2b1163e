import {
  questionsOf,
  type Answers,
  type InstallWay,
  type Question,
} from '@gateway/server-registry';
import { escapeToLine } from '@gateway/service-host';
import type { AskPerson, CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { readClientFile } from '../setup/client-files.ts';

type Values = ReadonlyMap<string, readonly string[]>;

/** The values that options give. */
export interface GivenValues {
  readonly set?: Values | undefined;
  /** Files, by the names of values. */
  readonly setFile?: Values | undefined;
}

const readValue = async (path: string): Promise<string> => {
  const text = await readClientFile(path);
  if (text === undefined) throw new CommandFailure('refused', `${path} does not exist`);
  return text.replace(/\r?\n$/u, '');
};

/**
 * Returns the values of `--set` and `--set-file`.
 *
 * @throws CommandFailure for a file that cannot be read
 */
export const givenAnswers = async ({ set, setFile }: GivenValues): Promise<Answers> => {
  const answers = new Map<string, readonly string[]>(set);
  for (const [name, paths] of setFile ?? []) {
    const values = await Promise.all(paths.map(readValue));
    answers.set(name, [...(answers.get(name) ?? []), ...values]);
  }
  return answers;
};

const questionText = ({ key, description, placeholder, choices }: Question): string => {
  const about = description === undefined ? '' : `${description}\n`;
  const example = placeholder === undefined ? [] : [`for example ${placeholder}`];
  const hints = choices.length > 0 ? [`one of ${choices.join(', ')}`] : example;
  const hint = hints.map((text) => ` (${text})`).join('');
  return `${about.split('\n').map(escapeToLine).join('\n')}${escapeToLine(`${key}${hint}`)}: `;
};

const askValue = async (question: Question, ask: AskPerson): Promise<string> => {
  for (;;) {
    const text = questionText(question);
    const answer = await ask({ text, isHidden: question.isSecret });
    if (answer === undefined) throw new CommandFailure('refused', 'the input ended');
    if (answer !== '') return answer;
  }
};

/** Returns the values with those that a person at a terminal gives for required inputs without a value. */
export const askedAnswers = async (
  way: InstallWay,
  given: Answers,
  { ask }: Pick<CliIo, 'ask'>,
): Promise<Answers> => {
  if (ask === undefined) return given;
  const answers = new Map(given);
  for (const question of questionsOf(way)) {
    const { key, isRequired, default: preset } = question;
    if (!isRequired || preset !== undefined || answers.has(key)) continue;
    answers.set(key, [await askValue(question, ask)]);
  }
  return answers;
};
