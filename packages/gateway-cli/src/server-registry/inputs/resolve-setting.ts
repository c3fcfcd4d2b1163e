import type { InstallProblem } from '../problems/install-problem.ts';
import { resolveInput, type Answers } from './resolve-input.ts';
import { valueText, type ResolvedValue, type ValuePart } from './resolved-value.ts';
import { VARIABLE, variableNames, type Setting } from './setting.ts';

/** The values of a setting: none when it is left out. */
export interface ResolvedSetting {
  readonly values: readonly ResolvedValue[];
  readonly problems: readonly InstallProblem[];
}

/** The values of the variables of a template, by name. */
type VariableValues = ReadonlyMap<string, readonly ValuePart[]>;

const filled = (template: string, variables: VariableValues, at: number): ResolvedValue => {
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
const templateSetting = ({ input, label, isRepeated }: Setting, answers: Answers) => {
  const names = variableNames(input);
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
    values: Array.from({ length: count }, (_, at) => filled(value, variables, at)),
    problems,
  };
};

const plainSetting = (setting: Setting, answers: Answers): ResolvedSetting => {
  const { parts, problems } = resolveInput(setting, answers);
  if (parts.length > 1 && !setting.isRepeated)
    return { values: [], problems: [{ code: 'too-many-values', label: setting.label }] };
  return { values: parts.map((part) => [part]), problems };
};

const OPENING = /\$\{/gu;

const countOf = (text: string): number => text.match(OPENING)?.length ?? 0;

/** The gateway replaces `${env:...}` and `${file:...}`: only a person may write them, not a registry, also not in parts. */
const hasForeignPlaceholder = (value: ResolvedValue): boolean => {
  const answered = value.filter(({ answer }) => answer !== undefined);
  const expected = answered.reduce((count, { text }) => count + countOf(text), 0);
  return countOf(valueText(value)) > expected;
};

/**
 * Returns the values of a setting. A template without the value of an optional variable is left out. A text of the registry that contains a
 * placeholder of the gateway is a problem.
 */
export const resolveSetting = (setting: Setting, answers: Answers): ResolvedSetting => {
  const { values, problems } =
    setting.input.value === undefined
      ? plainSetting(setting, answers)
      : templateSetting(setting, answers);
  const { label } = setting;
  return {
    values,
    problems: [
      ...problems,
      ...(values.some(hasForeignPlaceholder) ? [{ code: 'placeholder', label } as const] : []),
      ...(values.some((value) => valueText(value).includes('\0')) &&
      !problems.some(({ code }) => code === 'nul')
        ? [{ code: 'nul', label } as const]
        : []),
    ],
  };
};
