import { questionsOf, type Question } from '../server-registry/inputs/setting.ts';
import type { Answers } from '../server-registry/inputs/resolve-input.ts';
import type { InstallWay } from '../server-registry/packages/install-ways.ts';
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

/** A server whose files spell one secret in several ways, such as `API_KEY` and `--api-key`, needs it once. */
const secretName = ({ key }: Question): string => key.toLowerCase().replaceAll(/[-_]/gu, '');

/** Returns the answer to another question about the same secret. */
const sameSecret = (
  question: Question,
  questions: readonly Question[],
  answers: Answers,
): readonly string[] | undefined => {
  const name = secretName(question);
  const other = questions.find(
    (each) => each.isSecret && secretName(each) === name && answers.has(each.key),
  );
  return question.isSecret && other ? answers.get(other.key) : undefined;
};

/**
 * Returns the values with those of required inputs without a value: for a secret that has one under another spelling of its name the same one,
 * otherwise what a person at a terminal gives.
 */
export const askedAnswers = async (
  way: InstallWay,
  given: Answers,
  { ask }: Pick<CliIo, 'ask'>,
): Promise<Answers> => {
  const answers = new Map(given);
  const questions = questionsOf(way);
  for (const question of questions) {
    const { key, isRequired, default: preset } = question;
    if (!isRequired || preset !== undefined || answers.has(key)) continue;
    const values =
      sameSecret(question, questions, answers) ?? (ask && [await askValue(question, ask)]);
    if (values !== undefined) answers.set(key, values);
  }
  return answers;
};
