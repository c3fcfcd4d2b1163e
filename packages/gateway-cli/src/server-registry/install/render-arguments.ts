import type { RegistryArgument } from '../format/input-schema.ts';
import type { Answers } from '../inputs/resolve-input.ts';
import { resolveSetting } from '../inputs/resolve-setting.ts';
import { fixedValue, isAnswered, valueText, type ResolvedValue } from '../inputs/resolved-value.ts';
import { argumentSetting } from '../inputs/setting.ts';
import type { InstallProblem } from '../problems/install-problem.ts';

/** Words of a command line. */
export interface RenderedArguments {
  readonly words: readonly ResolvedValue[];
  readonly problems: readonly InstallProblem[];
}

type NamedArgument = Extract<RegistryArgument, { type: 'named' }>;

const OPTION_NAME = /^-{0,2}[A-Za-z0-9][\w.-]{0,200}$/u;
const NUMBER = /^-\d/u;

/** An option that is written alone: the file says nothing about a value. */
const isFlag = (argument: NamedArgument): boolean => {
  const { description, placeholder, value, choices, isRequired, format, variables } = argument;
  const texts = [description, placeholder, value, argument.default];
  return (
    texts.every((text) => text === undefined) &&
    choices.length === 0 &&
    !isRequired &&
    format === 'string' &&
    Object.keys(variables).length === 0
  );
};

const startsLikeOption = (value: ResolvedValue, { format }: RegistryArgument): boolean => {
  const text = valueText(value);
  return text.startsWith('-') && !(format === 'number' && NUMBER.test(text));
};

/** A long option and its value are one word, as the schema has it, so that the value cannot be read as an option. */
const namedWords = (argument: NamedArgument, value: ResolvedValue): readonly ResolvedValue[] => {
  const { name } = argument;
  if (valueText(value) === '') return [fixedValue(name)];
  return name.startsWith('-') && !name.startsWith('--')
    ? [fixedValue(name), value]
    : [[...fixedValue(`${name}=`), ...value]];
};

const renderNamed = (
  argument: NamedArgument,
  values: readonly ResolvedValue[],
  label: string,
): RenderedArguments => {
  const { name } = argument;
  if (!OPTION_NAME.test(name)) return { words: [], problems: [{ code: 'argument-name', name }] };
  if (values.length === 0 && isFlag(argument)) return { words: [fixedValue(name)], problems: [] };
  const isShort = name.startsWith('-') && !name.startsWith('--');
  const isWrong = isShort && values.some((value) => startsLikeOption(value, argument));
  return {
    words: values.flatMap((value) => namedWords(argument, value)),
    problems: isWrong ? [{ code: 'option-value', label }] : [],
  };
};

/** The publisher may write options as fixed positional arguments of its own program; a person and a default may not. */
const renderPositional = (
  argument: RegistryArgument,
  values: readonly ResolvedValue[],
  label: string,
): RenderedArguments => {
  const isChecked = (value: ResolvedValue): boolean =>
    argument.value === undefined || isAnswered(value.slice(0, 1));
  const isWrong = values.some((value) => isChecked(value) && startsLikeOption(value, argument));
  return { words: values, problems: isWrong ? [{ code: 'option-value', label }] : [] };
};

/** Returns the words of arguments with the values that a person gave. Optional arguments without a value are left out. */
export const renderArguments = (
  list: readonly RegistryArgument[],
  answers: Answers,
): RenderedArguments => {
  const rendered = list.map((argument, at) => {
    const setting = argumentSetting(argument, at);
    const { values, problems } = resolveSetting(setting, answers);
    const { words, problems: more } =
      argument.type === 'named'
        ? renderNamed(argument, values, setting.label)
        : renderPositional(argument, values, setting.label);
    return { words, problems: [...problems, ...more] };
  });
  return {
    words: rendered.flatMap(({ words }) => words),
    problems: rendered.flatMap(({ problems }) => problems),
  };
};
