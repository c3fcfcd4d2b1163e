import type { RegistryArgument } from './format.ts';
import type { InstallProblem, PackageKind } from './install-problem.ts';
import {
  type Answers,
  argumentSetting,
  fixedValue,
  hasSecret,
  isAnswered,
  type ResolvedValue,
  resolveSetting,
  valueText,
} from './settings.ts';

interface RuntimeOptions {
  readonly flags: ReadonlySet<string>;
  /** Options that the gateway sets itself. */
  readonly own: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  /** The form of their values; absent where every value is permitted. */
  readonly values?: RegExp;
  /** First words that files repeat although the gateway writes them. */
  readonly commands: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Options that are not listed are risks: `npx --package` and `uvx --from` run another package, `docker run --entrypoint` another program. */
const RUNTIME_OPTIONS: Readonly<Record<PackageKind, RuntimeOptions>> = {
  npm: {
    flags: new Set(['-q', '--quiet']),
    own: new Set(['-y', '--yes']),
    valued: NONE,
    commands: NONE,
  },
  pypi: {
    flags: new Set(['-q', '--quiet', '--isolated', '--no-cache']),
    own: NONE,
    valued: new Set(['-p', '--python']),
    // uvx also takes the path of a program.
    values: /^\d+(?:\.\d+)*$/u,
    commands: NONE,
  },
  oci: {
    flags: new Set(['--init', '--read-only', '--privileged']),
    own: new Set(['-i', '--interactive', '--rm']),
    valued: new Set([
      ...[
        '-e',
        '--env',
        '-m',
        '--memory',
        '--cpus',
        '--platform',
        '--pull',
        '--tmpfs',
        '--shm-size',
      ],
      ...['-w', '--workdir', '--stop-timeout', '--pids-limit'],
      // The judgement of the whole command line finds the access that these give.
      ...['-v', '--volume', '--mount', '--network', '--net', '-p', '--publish', '--add-host'],
      ...['-u', '--user', '--pid', '--ipc', '--uts', '--userns', '--cgroupns', '--cap-add'],
      ...['--cap-drop', '--device', '--gpus', '--security-opt', '--group-add', '--volumes-from'],
    ]),
    commands: new Set(['run']),
  },
};

/** A package and the words that its file has for the program that runs it. */
export interface RuntimeWords {
  readonly kind: PackageKind;
  readonly reference: string;
  readonly identifier: string;
  readonly words: readonly ResolvedValue[];
}

/** Returns the number of words of a known option at a position; `undefined` for a word that is not known. */
const optionWords = ({ kind, words }: RuntimeWords, at: number): number | undefined => {
  const { flags, valued, values = /^/u } = RUNTIME_OPTIONS[kind];
  const text = valueText(words[at] ?? []);
  if (flags.has(text)) return 1;
  const equals = text.startsWith('--') ? text.indexOf('=') : -1;
  if (!valued.has(equals === -1 ? text : text.slice(0, equals))) return undefined;
  if (equals !== -1) return values.test(text.slice(equals + 1)) ? 1 : undefined;
  // The word after an option without a value of its own is its value unless it is an option.
  const next = words[at + 1];
  if (next === undefined || valueText(next).startsWith('-')) return undefined;
  return values.test(valueText(next)) ? 2 : undefined;
};

/** Returns the words that a registry sets for the program, without those that the gateway writes itself. Words that are not known are risks. */
export const checkRuntime = (of: RuntimeWords): RenderedArguments => {
  const { kind, reference, identifier, words } = of;
  const { own, commands } = RUNTIME_OPTIONS[kind];
  const isOwn = (text: string): boolean =>
    own.has(text) || text === reference || text === identifier;
  const accepted: ResolvedValue[] = [];
  const problems: InstallProblem[] = [];
  let at = commands.has(valueText(words[0] ?? [])) ? 1 : 0;
  while (at < words.length) {
    const word = words[at] ?? [];
    const text = valueText(word);
    const known = isOwn(text) ? 0 : optionWords(of, at);
    // A user may accept the word, which is then validated with the whole command line.
    if (known === undefined)
      problems.push({ code: 'risk', risk: 'runtime', part: hasSecret(word) ? '…' : text });
    accepted.push(...words.slice(at, at + (known ?? 1)));
    at += Math.max(1, known ?? 1);
  }
  return { words: accepted, problems };
};

interface RenderedArguments {
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
