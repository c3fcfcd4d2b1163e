import {
  addressRisks,
  hasCredentials,
  isName,
  redirectsTrust,
  type Risk,
  type SecretFile,
  SecretFiles,
  serverRisks,
} from '@gateway/client-config';
import type { NamedValue, RegistryServer } from './format.ts';
import { type InstallNote, type InstallProblem, PROGRAMS } from './install-problem.ts';
import {
  type InstallWay,
  installWays,
  isPackageWay,
  type PackageWay,
  type RemoteWay,
} from './packages.ts';
import { checkRuntime, renderArguments } from './runtime.ts';
import {
  addressSetting,
  type Answers,
  hasSecret,
  isAnswered,
  namedSetting,
  questionsOf,
  type ResolvedValue,
  resolveSetting,
  valueText,
} from './settings.ts';

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
  readonly files: SecretFiles;
}

/** Returns variables or headers with the values that a person gave. Optional ones without a value are left out; secrets become files. */
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
    const resolved = resolveSetting(namedSetting(noun, input), answers);
    problems.push(...resolved.problems);
    const value = resolved.values[0];
    if (value === undefined) continue;
    if (!isName(noun === 'variable' ? 'env' : 'headers', name))
      problems.push({ code: 'wrong-name', noun, name });
    if (noun === 'variable' && redirectsTrust(name) && !isAnswered(value))
      problems.push({ code: 'risk', risk: 'environment', part: name });
    const text = valueText(value);
    if (hasSecret(value)) references.push({ name, secretKeyRef: files.add(name, text) });
    else plain.push([name, text]);
  }
  return { plain, references, problems };
};

const valueFields = (
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
const IMAGE_START_SECONDS = 600;

const wordText = (value: ResolvedValue, files: SecretFiles): string =>
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
    list.map((value) => wordText(value, context.files));
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
      ...valueFields('env', variables),
      ...(kind === 'oci' && { startTimeout: IMAGE_START_SECONDS }),
    },
    problems: [
      ...variables.problems,
      ...runtime.problems,
      ...checked.problems,
      ...own.problems,
      // renderNamedValues validates the variables, whose values a user may have given.
      ...serverRisks({ command: PROGRAMS[kind], args }).filter(
        ({ risk, part }) => risk !== 'environment' || !names.includes(part),
      ),
    ],
  };
};

const addressProblems = (url: string): readonly InstallProblem[] => [
  ...(hasCredentials(url) ? [{ code: 'credentials' } as const] : []),
  ...addressRisks(url, false),
];

const composeRemote = ({ kind, entry }: RemoteWay, context: RenderingContext): ComposedSpec => {
  const address = resolveSetting(addressSetting(entry.url, entry.variables), context.answers);
  const headers = renderNamedValues('header', entry.headers, context);
  const url = wordText(address.values[0] ?? [], context.files);
  return {
    fields: { type: kind, url, ...valueFields('headers', headers) },
    problems: [...address.problems, ...headers.problems, ...addressProblems(url)],
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
      readonly secrets: readonly SecretFile[];
      readonly notes: readonly InstallNote[];
    }
  | { readonly ok: false; readonly problems: readonly InstallProblem[] };

type ChosenWay =
  | { readonly ok: true; readonly way: InstallWay }
  | { readonly ok: false; readonly problems: readonly InstallProblem[] };

const MAX_DESCRIPTION_CHARS = 500;

/** Returns the preferred way to run a server, or the first one of a kind. */
export const chooseWay = (server: RegistryServer, kind?: string): ChosenWay => {
  const { status, version } = server;
  if (status === 'deleted') return { ok: false, problems: [{ code: 'deleted', version }] };
  const { ways, refused } = installWays(server);
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

const unknownAnswers = (way: InstallWay, answers: Answers): readonly InstallProblem[] => {
  const known = questionsOf(way).map(({ key }) => key);
  return [...answers.keys()]
    .filter((key) => !known.includes(key))
    .map((key) => ({ code: 'unknown-input', key, known }));
};

const isSame = (one: InstallProblem, other: InstallProblem): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const withoutRepeated = (problems: readonly InstallProblem[]): readonly InstallProblem[] =>
  problems.filter((problem, at) => problems.findIndex((other) => isSame(other, problem)) === at);

/** Returns the `MCPServer` of a server of a registry. Pure; nothing is written, and no value of a person is in a problem or a note. */
export const planInstall = ({
  server,
  way,
  name,
  answers,
  allow = [],
  start = false,
}: InstallRequest): InstallPlan => {
  const files = new SecretFiles(name);
  const context = { answers, files };
  const composed = isPackageWay(way) ? composePackage(way, context) : composeRemote(way, context);
  const found = withoutRepeated([...unknownAnswers(way, answers), ...composed.problems]);
  const problems = found.filter(
    (problem) => problem.code !== 'risk' || !allow.includes(problem.risk),
  );
  if (problems.length > 0) return { ok: false, problems };
  const isRisky = found.some(({ code }) => code === 'risk');
  const { status, version, title, description } = server;
  const about = (description === '' ? (title ?? '') : description).slice(0, MAX_DESCRIPTION_CHARS);
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
