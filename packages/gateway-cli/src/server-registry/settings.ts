import { isSecretLike } from '@gateway/client-config';
import type { RegistryArgument, RegistryInput, TemplateInput } from './format.ts';
import { type InstallWay, isPackageWay } from './packages.ts';
import { type InstallProblem } from './install-problem.ts';

/** A part of a value, with its origin. */
interface ValuePart {
  readonly text: string;
  /** The name under which a user gave it; absent for texts of the registry. */
  readonly answer?: string;
  readonly isSecret: boolean;
}

/** A value of a setting, in parts. */
export type ResolvedValue = readonly ValuePart[];

export const formatSettingValue = (value: ResolvedValue): string =>
  value.map(({ text }) => text).join('');

export const hasSecret = (value: ResolvedValue): boolean => value.some(({ isSecret }) => isSecret);

export const isAnswered = (value: ResolvedValue): boolean =>
  value.some(({ answer }) => answer !== undefined);

export const toFixedValue = (text: string): ResolvedValue => [{ text, isSecret: false }];

interface Setting {
  /** The name of the place in sentences, for example `the variable API_KEY`. */
  readonly label: string;
  readonly key: string;
  readonly input: TemplateInput;
  readonly isRepeated: boolean;
}

export interface RegistryQuestion {
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly default?: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly choices: readonly string[];
  readonly format: RegistryInput['format'];
}

/** `{name}` in a fixed value or in an address. */
const VARIABLE = /\{([A-Za-z_][\w-]{0,200})\}/gu;

/** Returns the setting of an argument. `at` is its position in its list. */
export const toArgumentSetting = (input: RegistryArgument, at: number): Setting => {
  const { isRepeated } = input;
  if (input.type === 'named') {
    const key = input.name.replace(/^-+/u, '');
    return { label: `the argument ${input.name}`, key, input, isRepeated };
  }
  const key = input.valueHint ?? `argument-${String(at + 1)}`;
  return { label: `the argument ${key}`, key, input, isRepeated };
};

export const toNamedSetting = (
  noun: 'variable' | 'header',
  input: TemplateInput & { readonly name: string },
): Setting => ({
  label: `the ${noun} ${input.name}`,
  key: input.name,
  input,
  isRepeated: false,
});

/** The address of a remote as a setting: a fixed text with variables. */
export const toAddressSetting = (url: string, variables: TemplateInput['variables']): Setting => ({
  label: 'the address',
  key: 'url',
  isRepeated: false,
  input: {
    isRequired: true,
    isSecret: false,
    format: 'string',
    choices: [],
    value: url,
    variables,
  },
});

/** Returns the settings of a way, in the order in which a user is asked. */
const listSettings = (way: InstallWay): readonly Setting[] => {
  if (!isPackageWay(way)) {
    const { url, variables, headers } = way.entry;
    return [
      toAddressSetting(url, variables),
      ...headers.map((header) => toNamedSetting('header', header)),
    ];
  }
  const { runtimeArguments, packageArguments, environmentVariables } = way.entry;
  return [
    ...environmentVariables.map((variable) => toNamedSetting('variable', variable)),
    ...runtimeArguments.map(toArgumentSetting),
    ...packageArguments.map(toArgumentSetting),
  ];
};

const toQuestion = (
  { key, label }: Pick<Setting, 'key' | 'label'>,
  { description, placeholder, default: preset, ...input }: RegistryInput,
): RegistryQuestion => ({
  key,
  label,
  isRequired: input.isRequired,
  isSecret: input.isSecret,
  choices: input.choices,
  format: input.format,
  ...(description !== undefined && { description }),
  ...(placeholder !== undefined && { placeholder }),
  ...(preset !== undefined && { default: preset }),
});

/** Returns the names in a fixed text that stand for variables, each once. */
const listVariableNames = ({ value = '', variables }: TemplateInput): readonly string[] => [
  ...new Set(
    [...value.matchAll(VARIABLE)].flatMap(([, name = '']) =>
      Object.hasOwn(variables, name) ? [name] : [],
    ),
  ),
];

const listSettingQuestions = (setting: Setting): readonly RegistryQuestion[] => {
  const { input, label } = setting;
  if (input.value === undefined) return [toQuestion(setting, input)];
  return listVariableNames(input).flatMap((name) => {
    const variable = input.variables[name];
    if (variable === undefined || variable.value !== undefined) return [];
    return [toQuestion({ key: name, label: `${name} of ${label}` }, variable)];
  });
};

/** Returns the values that a user can give for a way, each name once. */
export const listQuestions = (way: InstallWay): readonly RegistryQuestion[] => {
  const questions = new Map<string, RegistryQuestion>();
  for (const question of listSettings(way).flatMap(listSettingQuestions)) {
    const before = questions.get(question.key);
    questions.set(question.key, {
      ...question,
      ...before,
      isRequired: question.isRequired || before?.isRequired === true,
      isSecret: question.isSecret || before?.isSecret === true,
    });
  }
  return [...questions.values()];
};

/** The values that a user gave, by name. A name can have several values. */
export type Answers = ReadonlyMap<string, readonly string[]>;

interface NamedInput {
  readonly label: string;
  readonly key: string;
  readonly input: RegistryInput;
}

/** The values of an input: none when it is optional and has no value. */
interface ResolvedInput {
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
  !REFERENCE.test(text) && text !== '' && (input.isSecret || isSecretLike(key, text));

const isSecretInput = ({ key, input }: NamedInput): boolean =>
  input.isSecret || isSecretLike(key, 'any value');

const findProblem = ({ label, input }: NamedInput, text: string): InstallProblem | undefined => {
  const { choices, format } = input;
  if (text.includes('\0')) return { code: 'nul', label };
  if (REFERENCE.test(text)) return undefined;
  if (choices.length > 0 && !choices.includes(text))
    return { code: 'not-a-choice', label, choices };
  return hasFormat(format, text) ? undefined : { code: 'wrong-format', label, format };
};

/** Returns the values of one input: its fixed value, otherwise those that a user gave, otherwise its default. */
const resolveInput = (named: NamedInput, answers: Answers): ResolvedInput => {
  const { label, key, input } = named;
  const given = answers.get(key) ?? [];
  if (input.value !== undefined)
    return { parts: [{ text: input.value, isSecret: false }], problems: [] };
  if (given.length > 0)
    return {
      parts: given.map((text) => ({ text, answer: key, isSecret: isSecretAnswer(named, text) })),
      problems: given.flatMap((text) => findProblem(named, text) ?? []),
    };
  if (input.default !== undefined)
    return { parts: [{ text: input.default, isSecret: false }], problems: [] };
  return {
    parts: [],
    problems: input.isRequired
      ? [{ code: 'missing-input', label, key, isSecret: isSecretInput(named) }]
      : [],
  };
};

/** The values of a setting: none when it is left out. */
interface ResolvedSetting {
  readonly values: readonly ResolvedValue[];
  readonly problems: readonly InstallProblem[];
}

type VariableValues = ReadonlyMap<string, readonly ValuePart[]>;

const renderTemplate = (template: string, variables: VariableValues, at: number): ResolvedValue => {
  const parts: ValuePart[] = [];
  let end = 0;
  for (const match of template.matchAll(VARIABLE)) {
    const values = variables.get(match[1] ?? '');
    const part = values?.[values.length === 1 ? 0 : at];
    if (part === undefined) continue;
    parts.push({ text: template.slice(end, match.index), isSecret: false }, part);
    end = match.index + match[0].length;
  }
  return [...parts, { text: template.slice(end), isSecret: false }].filter(
    ({ text }) => text !== '',
  );
};

/** A setting has one value for each value of its variables; a variable with one value is in all of them. */
const resolveTemplateSetting = ({ input, label, isRepeated }: Setting, answers: Answers) => {
  const names = listVariableNames(input);
  const problems: InstallProblem[] = [];
  const variables = new Map<string, readonly ValuePart[]>();
  for (const name of names) {
    const variable = input.variables[name];
    if (variable === undefined) continue;
    const named = { label: `${name} of ${label}`, key: name, input: variable };
    const resolved = resolveInput(named, answers);
    problems.push(...resolved.problems);
    variables.set(name, resolved.parts);
  }
  if (problems.length > 0) return { values: [], problems };
  const lengths = [...variables.values()].map(({ length }) => length);
  if (lengths.includes(0)) return { values: [], problems };
  const count = Math.max(1, ...lengths);
  if (lengths.some((length) => length !== 1 && length !== count) || (count > 1 && !isRepeated))
    return { values: [], problems: [{ code: 'too-many-values', label }] as const };
  const { value = '' } = input;
  return {
    values: Array.from({ length: count }, (_, at) => renderTemplate(value, variables, at)),
    problems,
  };
};

const resolvePlainSetting = (setting: Setting, answers: Answers): ResolvedSetting => {
  const { parts, problems } = resolveInput(setting, answers);
  if (parts.length > 1 && !setting.isRepeated)
    return { values: [], problems: [{ code: 'too-many-values', label: setting.label }] };
  return { values: parts.map((part) => [part]), problems };
};

const OPENING = /\$\{/gu;

const countOpenings = (text: string): number => text.match(OPENING)?.length ?? 0;

/** The gateway replaces `${env:...}` and `${file:...}`: only a user may write them, not a registry, also not in parts. */
const hasForeignPlaceholder = (value: ResolvedValue): boolean => {
  const answered = value.filter(({ answer }) => answer !== undefined);
  const expected = answered.reduce((count, { text }) => count + countOpenings(text), 0);
  return countOpenings(formatSettingValue(value)) > expected;
};

/**
 * Returns the values of a setting. A template without the value of an optional variable is left out. A text of the registry that contains a
 * placeholder of the gateway is a problem.
 */
export const resolveSetting = (setting: Setting, answers: Answers): ResolvedSetting => {
  const { values, problems } =
    setting.input.value === undefined
      ? resolvePlainSetting(setting, answers)
      : resolveTemplateSetting(setting, answers);
  const { label } = setting;
  return {
    values,
    problems: [
      ...problems,
      ...(values.some(hasForeignPlaceholder) ? [{ code: 'placeholder', label } as const] : []),
      ...(values.some((value) => formatSettingValue(value).includes('\0')) &&
      !problems.some(({ code }) => code === 'nul')
        ? [{ code: 'nul', label } as const]
        : []),
    ],
  };
};
