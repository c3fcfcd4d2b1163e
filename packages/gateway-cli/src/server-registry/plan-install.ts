import type { NamedValue, RegistryArgument, RegistryServer } from './format.ts';
import {
  type InstallWay,
  listInstallWays,
  isPackageWay,
  type PackageWay,
  type RemoteWay,
} from './packages.ts';
import {
  type InstallNote,
  type InstallProblem,
  type PackageKind,
  PROGRAMS,
} from './install-problem.ts';
import {
  toAddressSetting,
  type Answers,
  toArgumentSetting,
  toFixedValue,
  hasSecret,
  isAnswered,
  listQuestions,
  toNamedSetting,
  type ResolvedValue,
  resolveSetting,
  formatSettingValue,
} from './settings.ts';
import {
  listAddressRisks,
  hasCredentials,
  isName,
  canRedirectTrust,
  type Risk,
  createSecretPlace,
  SecretCollector,
  listServerRisks,
  type StoredSecret,
} from '@gateway/client-config';
import { findServerBounds, MAX_SERVER_DESCRIPTION_CHARS } from '@gateway/crd-schemas';

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
interface RuntimeWords {
  readonly kind: PackageKind;
  readonly reference: string;
  readonly identifier: string;
  readonly words: readonly ResolvedValue[];
}

/** Returns the number of words of a known option at a position; `undefined` for a word that is not known. */
const countOptionWords = ({ kind, words }: RuntimeWords, at: number): number | undefined => {
  const { flags, valued, values = /^/u } = RUNTIME_OPTIONS[kind];
  const text = formatSettingValue(words[at] ?? []);
  if (flags.has(text)) return 1;
  const equals = text.startsWith('--') ? text.indexOf('=') : -1;
  if (!valued.has(equals === -1 ? text : text.slice(0, equals))) return undefined;
  if (equals !== -1) return values.test(text.slice(equals + 1)) ? 1 : undefined;
  // The word after an option without a value of its own is its value unless it is an option.
  const next = words[at + 1];
  if (next === undefined || formatSettingValue(next).startsWith('-')) return undefined;
  return values.test(formatSettingValue(next)) ? 2 : undefined;
};

/** Returns the words that a registry sets for the program, without those that the gateway writes itself. Words that are not known are risks. */
const checkRuntime = (of: RuntimeWords): RenderedArguments => {
  const { kind, reference, identifier, words } = of;
  const { own, commands } = RUNTIME_OPTIONS[kind];
  const isOwn = (text: string): boolean =>
    own.has(text) || text === reference || text === identifier;
  const accepted: ResolvedValue[] = [];
  const problems: InstallProblem[] = [];
  let at = commands.has(formatSettingValue(words[0] ?? [])) ? 1 : 0;
  while (at < words.length) {
    const word = words[at] ?? [];
    const text = formatSettingValue(word);
    const known = isOwn(text) ? 0 : countOptionWords(of, at);
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

const isOptionLike = (value: ResolvedValue, { format }: RegistryArgument): boolean => {
  const text = formatSettingValue(value);
  return text.startsWith('-') && !(format === 'number' && NUMBER.test(text));
};

/** A long option and its value are one word, as the schema has it, so that the value cannot be read as an option. */
const toArgumentWords = (
  argument: NamedArgument,
  value: ResolvedValue,
): readonly ResolvedValue[] => {
  const { name } = argument;
  if (formatSettingValue(value) === '') return [toFixedValue(name)];
  return name.startsWith('-') && !name.startsWith('--')
    ? [toFixedValue(name), value]
    : [[...toFixedValue(`${name}=`), ...value]];
};

const renderNamed = (
  argument: NamedArgument,
  values: readonly ResolvedValue[],
  label: string,
): RenderedArguments => {
  const { name } = argument;
  if (!OPTION_NAME.test(name)) return { words: [], problems: [{ code: 'argument-name', name }] };
  if (values.length === 0 && isFlag(argument)) return { words: [toFixedValue(name)], problems: [] };
  const isShort = name.startsWith('-') && !name.startsWith('--');
  const isWrong = isShort && values.some((value) => isOptionLike(value, argument));
  return {
    words: values.flatMap((value) => toArgumentWords(argument, value)),
    problems: isWrong ? [{ code: 'option-value', label }] : [],
  };
};

/** The publisher may write options as fixed positional arguments of its own program; a user and a default may not. */
const renderPositional = (
  argument: RegistryArgument,
  values: readonly ResolvedValue[],
  label: string,
): RenderedArguments => {
  const isChecked = (value: ResolvedValue): boolean =>
    argument.value === undefined || isAnswered(value.slice(0, 1));
  const isWrong = values.some((value) => isChecked(value) && isOptionLike(value, argument));
  return { words: values, problems: isWrong ? [{ code: 'option-value', label }] : [] };
};

/** Returns the words of arguments with the values that a user gave. Optional arguments without a value are left out. */
const renderArguments = (
  list: readonly RegistryArgument[],
  answers: Answers,
): RenderedArguments => {
  const rendered = list.map((argument, at) => {
    const setting = toArgumentSetting(argument, at);
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

interface SecretReference {
  readonly name: string;
  readonly secretKeyRef: { readonly name: string; readonly key: string };
}

interface RenderedValues {
  readonly plain: readonly (readonly [name: string, value: string])[];
  readonly references: readonly SecretReference[];
  readonly problems: readonly InstallProblem[];
}

interface RenderingContext {
  readonly answers: Answers;
  readonly files: SecretCollector;
}

/** Returns variables or headers with the values that a user gave. Optional ones without a value are left out; secrets become files. */
const renderNamedValues = (
  noun: 'variable' | 'header',
  list: readonly NamedValue[],
  { answers, files }: RenderingContext,
): RenderedValues => {
  const plain: (readonly [string, string])[] = [];
  const references: SecretReference[] = [];
  const problems: InstallProblem[] = [];
  for (const input of list) {
    const { name } = input;
    const resolved = resolveSetting(toNamedSetting(noun, input), answers);
    problems.push(...resolved.problems);
    const value = resolved.values[0];
    if (value === undefined) continue;
    if (!isName(noun === 'variable' ? 'env' : 'headers', name))
      problems.push({ code: 'wrong-name', noun, name });
    if (noun === 'variable' && canRedirectTrust(name) && !isAnswered(value))
      problems.push({ code: 'risk', risk: 'environment', part: name });
    const text = formatSettingValue(value);
    if (hasSecret(value)) references.push({ name, secretKeyRef: files.add(name, text) });
    else plain.push([name, text]);
  }
  return { plain, references, problems };
};

const toValueFields = (
  key: 'env' | 'headers',
  { plain, references }: Pick<RenderedValues, 'plain' | 'references'>,
): Readonly<Record<string, unknown>> => ({
  ...(plain.length > 0 && { [key]: Object.fromEntries(plain) }),
  ...(references.length > 0 && { [`${key}From`]: references }),
});

interface ComposedSpec {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly problems: readonly InstallProblem[];
}

/** A container starts after its image is there, which can be large. In seconds. */
const IMAGE_START_SECONDS = findServerBounds('startTimeout').max;

const formatWord = (value: ResolvedValue, files: SecretCollector): string =>
  value
    .map(({ text, isSecret, answer = 'value' }) =>
      isSecret ? files.placeholder(answer, text) : text,
    )
    .join('');

/** Returns how a program starts a package: `npx -y NAME@VERSION`, `uvx NAME==VERSION`, `docker run -i --rm IMAGE`. */
const composePackage = (way: PackageWay, context: RenderingContext): ComposedSpec => {
  const { kind, entry, reference } = way;
  const variables = renderNamedValues('variable', entry.environmentVariables, context);
  const runtime = renderArguments(entry.runtimeArguments, context.answers);
  const words = { kind, reference, identifier: entry.identifier, words: runtime.words };
  const checked = checkRuntime(words);
  const own = renderArguments(entry.packageArguments, context.answers);
  const texts = (list: readonly ResolvedValue[]) =>
    list.map((value) => formatWord(value, context.files));
  // The values stay in the environment of docker, and its arguments name them only.
  const names = [
    ...variables.plain.map(([name]) => name),
    ...variables.references.map(({ name }) => name),
  ];
  const first = {
    npm: ['-y'],
    pypi: [],
    oci: ['run', '-i', '--rm', ...names.flatMap((name) => ['-e', name])],
  }[kind];
  const args = [...first, ...texts(checked.words), reference, ...texts(own.words)];
  return {
    fields: {
      type: 'stdio',
      command: PROGRAMS[kind],
      args,
      ...toValueFields('env', variables),
      ...(kind === 'oci' && { startTimeout: IMAGE_START_SECONDS }),
    },
    problems: [
      ...variables.problems,
      ...runtime.problems,
      ...checked.problems,
      ...own.problems,
      // renderNamedValues validates the variables, whose values a user may have given.
      ...listServerRisks({ command: PROGRAMS[kind], args }).filter(
        ({ risk, part }) => risk !== 'environment' || !names.includes(part),
      ),
    ],
  };
};

const listAddressProblems = (url: string): readonly InstallProblem[] => [
  ...(hasCredentials(url) ? [{ code: 'credentials' } as const] : []),
  ...listAddressRisks(url, false),
];

const composeRemote = ({ kind, entry }: RemoteWay, context: RenderingContext): ComposedSpec => {
  const address = resolveSetting(toAddressSetting(entry.url, entry.variables), context.answers);
  const headers = renderNamedValues('header', entry.headers, context);
  const url = formatWord(address.values[0] ?? [], context.files);
  return {
    fields: { type: kind, url, ...toValueFields('headers', headers) },
    problems: [...address.problems, ...headers.problems, ...listAddressProblems(url)],
  };
};

interface InstallRequest {
  readonly server: RegistryServer;
  readonly way: InstallWay;
  readonly name: string;
  readonly answers: Answers;
  readonly allow?: readonly Risk[] | undefined;
  /** True when the gateway starts it. An entry with an accepted risk never starts before a user has read it. */
  readonly start?: boolean | undefined;
}

/** An `MCPServer` and its secrets, or the reasons why there is none. */
export type InstallPlan =
  | {
      readonly ok: true;
      /** `spec` of the `MCPServer`; it contains no secret. */
      readonly spec: Readonly<Record<string, unknown>>;
      readonly secrets: readonly StoredSecret[];
      readonly notes: readonly InstallNote[];
    }
  | { readonly ok: false; readonly problems: readonly InstallProblem[] };

type ChosenWay =
  | { readonly ok: true; readonly way: InstallWay }
  | { readonly ok: false; readonly problems: readonly InstallProblem[] };

/** Returns the preferred way to run a server, or the first one of a kind. */
export const chooseWay = (server: RegistryServer, kind?: string): ChosenWay => {
  const { status, version } = server;
  if (status === 'deleted') return { ok: false, problems: [{ code: 'deleted', version }] };
  const { ways, refused } = listInstallWays(server);
  const way = ways.find((found) => kind === undefined || found.kind === kind);
  if (way !== undefined) return { ok: true, way };
  const reasons = refused.filter((found) => kind === undefined || found.kind === kind);
  if (reasons.length > 0) return { ok: false, problems: reasons.map(({ problem }) => problem) };
  const kinds = [...new Set(ways.map((found) => found.kind))];
  return {
    ok: false,
    problems: [{ code: 'no-way', kinds, ...(kind !== undefined && { wanted: kind }) }],
  };
};

const listUnknownAnswers = (way: InstallWay, answers: Answers): readonly InstallProblem[] => {
  const known = listQuestions(way).map(({ key }) => key);
  return [...answers.keys()]
    .filter((key) => !known.includes(key))
    .map((key) => ({ code: 'unknown-input', key, known }));
};

const isSame = (one: InstallProblem, other: InstallProblem): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const withoutRepeated = (problems: readonly InstallProblem[]): readonly InstallProblem[] =>
  problems.filter((problem, at) => problems.findIndex((other) => isSame(other, problem)) === at);

/** Returns the `MCPServer` of a server of a registry. Pure; nothing is written, and no value of a user is in a problem or a note. */
export const planInstall = ({
  server,
  way,
  name,
  answers,
  allow = [],
  start = false,
}: InstallRequest): InstallPlan => {
  const files = new SecretCollector(createSecretPlace(name, 'files'));
  const context = { answers, files };
  const composed = isPackageWay(way) ? composePackage(way, context) : composeRemote(way, context);
  const found = withoutRepeated([...listUnknownAnswers(way, answers), ...composed.problems]);
  const problems = found.filter(
    (problem) => problem.code !== 'risk' || !allow.includes(problem.risk),
  );
  if (problems.length > 0) return { ok: false, problems };
  const isRisky = found.some(({ code }) => code === 'risk');
  const { status, version, title, description } = server;
  const about = (description === '' ? (title ?? '') : description).slice(
    0,
    MAX_SERVER_DESCRIPTION_CHARS,
  );
  const { type, ...fields } = composed.fields;
  return {
    ok: true,
    spec: {
      type,
      ...(about !== '' && { description: about }),
      ...fields,
      autoStart: start && !isRisky,
    },
    secrets: files.all(),
    notes: [
      ...(status === 'deprecated' ? [{ code: 'deprecated', version } as const] : []),
      ...way.notes,
    ],
  };
};
