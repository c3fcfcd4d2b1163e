import type { RegistryArgument, RegistryInput, TemplateInput } from '../format/input-schema.ts';
import { isPackageWay, type InstallWay } from '../packages/install-ways.ts';

/** A place of a command line, of an environment or of a request whose value can come from a person. */
export interface Setting {
  /** The name of the place in sentences, for example `the variable API_KEY`. */
  readonly label: string;
  /** The name under which a person gives its value. */
  readonly key: string;
  readonly input: TemplateInput;
  readonly isRepeated: boolean;
}

/** A value that a person can give. */
export interface Question {
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
export const VARIABLE = /\{([A-Za-z_][\w-]{0,200})\}/gu;

/** Returns the setting of an argument. `at` is its position in its list. */
export const argumentSetting = (input: RegistryArgument, at: number): Setting => {
  const { isRepeated } = input;
  if (input.type === 'named') {
    const key = input.name.replace(/^-+/u, '');
    return { label: `the argument ${input.name}`, key, input, isRepeated };
  }
  const key = input.valueHint ?? `argument-${String(at + 1)}`;
  return { label: `the argument ${key}`, key, input, isRepeated };
};

/** Returns the setting of a variable or header. */
export const namedSetting = (
  noun: 'variable' | 'header',
  input: TemplateInput & { readonly name: string },
): Setting => ({
  label: `the ${noun} ${input.name}`,
  key: input.name,
  input,
  isRepeated: false,
});

/** The address of a remote as a setting: a fixed text with variables. */
export const addressSetting = (url: string, variables: TemplateInput['variables']): Setting => ({
  label: 'the address',
  key: 'url',
  isRepeated: false,
  input: {
    ...{ isRequired: true, isSecret: false, format: 'string', choices: [] },
    ...{ value: url, variables },
  },
});

/** Returns the settings of a way, in the order in which a person is asked. */
const settingsOf = (way: InstallWay): readonly Setting[] => {
  if (!isPackageWay(way)) {
    const { url, variables, headers } = way.entry;
    return [
      addressSetting(url, variables),
      ...headers.map((header) => namedSetting('header', header)),
    ];
  }
  const { runtimeArguments, packageArguments, environmentVariables } = way.entry;
  return [
    ...environmentVariables.map((variable) => namedSetting('variable', variable)),
    ...runtimeArguments.map(argumentSetting),
    ...packageArguments.map(argumentSetting),
  ];
};

const questionOf = (
  { key, label }: Pick<Setting, 'key' | 'label'>,
  { description, placeholder, default: preset, ...input }: RegistryInput,
): Question => ({
  ...{ key, label, isRequired: input.isRequired, isSecret: input.isSecret },
  ...{ choices: input.choices, format: input.format },
  ...(description !== undefined && { description }),
  ...(placeholder !== undefined && { placeholder }),
  ...(preset !== undefined && { default: preset }),
});

/** Returns the names in a fixed text that stand for variables, each once. */
export const variableNames = ({ value = '', variables }: TemplateInput): readonly string[] => [
  ...new Set(
    [...value.matchAll(VARIABLE)].flatMap(([, name = '']) =>
      Object.hasOwn(variables, name) ? [name] : [],
    ),
  ),
];

const questionsOfSetting = (setting: Setting): readonly Question[] => {
  const { input, label } = setting;
  if (input.value === undefined) return [questionOf(setting, input)];
  return variableNames(input).flatMap((name) => {
    const variable = input.variables[name];
    if (variable === undefined || variable.value !== undefined) return [];
    return [questionOf({ key: name, label: `${name} of ${label}` }, variable)];
  });
};

/** Returns the values that a person can give for a way, each name once. */
export const questionsOf = (way: InstallWay): readonly Question[] => {
  const questions = new Map<string, Question>();
  for (const question of settingsOf(way).flatMap(questionsOfSetting)) {
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
