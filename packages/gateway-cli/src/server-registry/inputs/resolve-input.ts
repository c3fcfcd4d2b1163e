import { looksSecret } from '@gateway/client-config';
import type { RegistryInput } from '../format/input-schema.ts';
import type { InstallProblem } from '../problems/install-problem.ts';
import type { ValuePart } from './resolved-value.ts';

/** The values that a person gave, by name. A name can have several values. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** One input of a setting. */
export interface NamedInput {
  readonly label: string;
  readonly key: string;
  readonly input: RegistryInput;
}

/** The values of an input: none when it is optional and has no value. */
export interface ResolvedInput {
  readonly parts: readonly ValuePart[];
  readonly problems: readonly InstallProblem[];
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

const hasFormat = (format: RegistryInput['format'], text: string): boolean => {
  switch (format) {
    case 'number':
      return NUMBER.test(text);
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'string':
    case 'filepath':
      return true;
  }
};

/** A value that names a place of the value on this machine, for example `Bearer ${env:TOKEN}`. The contents of files are not searched for it. */
const REFERENCE = /\$\{(?:env|file):[^{}]+\}/u;

const isSecretAnswer = ({ key, input }: NamedInput, text: string): boolean =>
  !REFERENCE.test(text) && text !== '' && (input.isSecret || looksSecret(key, text));

/** Returns whether the value of an input is a secret, whatever it is. */
const takesSecret = ({ key, input }: NamedInput): boolean =>
  input.isSecret || looksSecret(key, 'any value');

const problemOf = ({ label, input }: NamedInput, text: string): InstallProblem | undefined => {
  const { choices, format } = input;
  if (text.includes('\0')) return { code: 'nul', label };
  if (REFERENCE.test(text)) return undefined;
  if (choices.length > 0 && !choices.includes(text))
    return { code: 'not-a-choice', label, choices };
  return hasFormat(format, text) ? undefined : { code: 'wrong-format', label, format };
};

/** Returns the values of one input: its fixed value, otherwise those that a person gave, otherwise its default. */
export const resolveInput = (named: NamedInput, answers: Answers): ResolvedInput => {
  const { label, key, input } = named;
  const given = answers.get(key) ?? [];
  if (input.value !== undefined)
    return { parts: [{ text: input.value, isSecret: false }], problems: [] };
  if (given.length > 0)
    return {
      parts: given.map((text) => ({ text, answer: key, isSecret: isSecretAnswer(named, text) })),
      problems: given.flatMap((text) => problemOf(named, text) ?? []),
    };
  if (input.default !== undefined)
    return { parts: [{ text: input.default, isSecret: false }], problems: [] };
  return {
    parts: [],
    problems: input.isRequired
      ? [{ code: 'missing-input', label, key, isSecret: takesSecret(named) }]
      : [],
  };
};
