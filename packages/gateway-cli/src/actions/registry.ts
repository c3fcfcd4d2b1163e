import { toResourceName, type Risk } from '@gateway/client-config';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { AskUser, CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { formatTerminalTable, writeValue } from '../output.ts';
import { formatProblemText, type RegistryServer } from '../server-registry/format.ts';
import { type InstallWay, listInstallWays } from '../server-registry/packages.ts';
import {
  formatInstallNote,
  type InstallProblem,
  formatInstallProblem,
} from '../server-registry/install-problem.ts';
import { chooseWay, type InstallPlan, planInstall } from '../server-registry/plan-install.ts';
import { searchServers } from '../server-registry/search.ts';
import { type Answers, type RegistryQuestion, listQuestions } from '../server-registry/settings.ts';
import { readClientFile } from '../setup/client-files.ts';
import { formatDiff } from '../setup/diff-text.ts';
import {
  findServer,
  readServers,
  type RegistryResult,
  resolveRegistrySources,
} from '../setup/registry-sources.ts';
import {
  formatStartHint,
  listReplacedSecrets,
  ServerDirectory,
} from '../setup/server-directory.ts';

export interface SearchArguments {
  readonly registry?: readonly string[];
  readonly configDir?: string;
  readonly output: 'text' | 'json';
}

export interface InstallArguments {
  readonly configDir: string;
  readonly registry?: readonly string[];
  readonly version?: string;
  readonly as?: string;
  readonly use?: string;
  readonly set?: ReadonlyMap<string, readonly string[]>;
  readonly setFile?: ReadonlyMap<string, readonly string[]>;
  readonly allow?: readonly Risk[];
  readonly start?: true;
  readonly replace?: true;
  readonly write?: true;
}

type Values = ReadonlyMap<string, readonly string[]>;

interface GivenValues {
  readonly set?: Values | undefined;
  readonly setFile?: Values | undefined;
}

const readValue = async (path: string): Promise<string> => {
  const text = await readClientFile(path);
  if (text === undefined) throw new CommandFailure('refused', `${path} does not exist`);
  return text.replace(/\r?\n$/u, '');
};

/** Returns the values of `--set` and `--set-file`. @throws CommandFailure for a file that cannot be read */
const readAnswers = async ({ set, setFile }: GivenValues): Promise<Answers> => {
  const answers = new Map<string, readonly string[]>(set);
  for (const [name, paths] of setFile ?? []) {
    const values = await Promise.all(paths.map(readValue));
    answers.set(name, [...(answers.get(name) ?? []), ...values]);
  }
  return answers;
};

const formatQuestion = ({ key, description, placeholder, choices }: RegistryQuestion): string => {
  const about = description === undefined ? '' : `${description}\n`;
  const example = placeholder === undefined ? [] : [`for example ${placeholder}`];
  const hints = choices.length > 0 ? [`one of ${choices.join(', ')}`] : example;
  const hint = hints.map((text) => ` (${text})`).join('');
  return `${about.split('\n').map(escapeToLine).join('\n')}${escapeToLine(`${key}${hint}`)}: `;
};

const askValue = async (question: RegistryQuestion, ask: AskUser): Promise<string> => {
  for (;;) {
    const text = formatQuestion(question);
    const answer = await ask({ text, isHidden: question.isSecret });
    if (answer === undefined) throw new CommandFailure('refused', 'the input ended');
    if (answer !== '') return answer;
  }
};

/** Ignores case and separators: `API_KEY` and `--api-key` name the same secret. */
const toSecretName = ({ key }: RegistryQuestion): string =>
  key.toLowerCase().replaceAll(/[-_]/gu, '');

const findSameSecret = (
  question: RegistryQuestion,
  questions: readonly RegistryQuestion[],
  answers: Answers,
): readonly string[] | undefined => {
  const name = toSecretName(question);
  const other = questions.find(
    (each) => each.isSecret && toSecretName(each) === name && answers.has(each.key),
  );
  return question.isSecret && other ? answers.get(other.key) : undefined;
};

/**
 * Completes the values of required inputs: a secret is copied from another spelling of its name, every other value is requested from the
 * user at the terminal.
 */
const askMissingAnswers = async (
  way: InstallWay,
  given: Answers,
  { ask }: Pick<CliIo, 'ask'>,
): Promise<Answers> => {
  const answers = new Map(given);
  const questions = listQuestions(way);
  for (const question of questions) {
    const { key, isRequired, default: preset } = question;
    if (!isRequired || preset !== undefined || answers.has(key)) continue;
    const values =
      findSameSecret(question, questions, answers) ?? (ask && [await askValue(question, ask)]);
    if (values !== undefined) answers.set(key, values);
  }
  return answers;
};

type AcceptedPlan = Extract<InstallPlan, { ok: true }>;

const refuse = ({ name, version }: RegistryServer, problems: readonly InstallProblem[]): never => {
  const lines = problems.map((problem) => escapeToLine(formatInstallProblem(problem)));
  throw new CommandFailure(
    'refused',
    `${name} ${escapeToLine(version)} is not installed:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
};

const plan = async (
  server: RegistryServer,
  args: InstallArguments,
  io: CliIo,
): Promise<AcceptedPlan & { readonly name: string }> => {
  const chosen = chooseWay(server, args.use);
  if (!chosen.ok) return refuse(server, chosen.problems);
  const { way } = chosen;
  const name = args.as ?? toResourceName(server.name.split('/')[1] ?? '');
  if (name === '')
    throw new CommandFailure(
      'refused',
      `the name of the server has no usable characters; choose a name with --as`,
    );
  const answers = await askMissingAnswers(way, await readAnswers(args), io);
  const planned = planInstall({ server, way, name, answers, allow: args.allow, start: args.start });
  return planned.ok ? { ...planned, name } : refuse(server, planned.problems);
};

/**
 * Installs a server of a registry. Without `--write` it shows what it would write.
 *
 * @param requested name of the server in the registry; absent when the registry has only one server
 */
export const installServer = (
  requested: string | undefined,
  args: InstallArguments,
  io: CliIo,
): Promise<CommandResult> =>
  ServerDirectory.use(args.configDir, async (directory): Promise<CommandResult> => {
    const request = { name: requested, version: args.version };
    const server = await findServer(
      await resolveRegistrySources(args),
      request,
      io.getInterruptSignal(),
    );
    io.stderr.write(`${server.name} ${escapeToLine(server.version)}\n`);
    const install = await plan(server, args, io);
    for (const note of install.notes)
      io.stderr.write(`note: ${escapeToLine(formatInstallNote(note))}\n`);
    const file = await directory.file(install.name);
    if (file !== undefined && args.replace !== true) refuseExisting(file.path);
    const planned = await directory.plan(install, file);
    const { name, changes, problems, secretProblems } = planned;
    const refusals = [...problems, ...secretProblems];
    if (refusals.length > 0)
      throw new CommandFailure('refused', escapeToLine(`${name}: ${refusals.join('; ')}`));
    const [replaced] = listReplacedSecrets(planned);
    if (replaced !== undefined && args.replace !== true) refuseExisting(replaced);
    for (const change of changes) io.stdout.write(formatDiff(change, io));
    if (changes.length === 0) io.stdout.write(`${name}: the directory has it already\n`);
    else if (args.write !== true)
      io.stderr.write('Nothing is written: run the command again with --write.\n');
    else {
      await directory.apply(planned);
      io.stdout.write(`installed ${name}\n`);
      if (planned.spec['autoStart'] !== true) io.stderr.write(formatStartHint(args.start));
    }
    return 'succeeded';
  });

const refuseExisting = (path: string): never => {
  throw new CommandFailure(
    'refused',
    `${path} exists: use --as for another name, or --replace to change it`,
  );
};

const toSearchResult = (server: RegistryServer, registry: string) => {
  const { name, version, title, description, status } = server;
  const { ways, refused } = listInstallWays(server);
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    description,
    status,
    registry,
    runs: ways.map(({ kind, reference }) => ({ kind, reference })),
    notSupported: refused.map(({ kind, problem }) => ({
      kind,
      reason: formatInstallProblem(problem),
    })),
  };
};

type SearchResult = ReturnType<typeof toSearchResult>;

const formatRuns = ({ runs, notSupported }: SearchResult): string => {
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  if (kinds.length > 0) return kinds.join(', ');
  const others = [...new Set(notSupported.map(({ kind }) => kind))];
  return others.length === 0 ? 'not described' : `not supported (${others.join(', ')})`;
};

const formatServerTitle = ({ title, description, status }: SearchResult): string => {
  const text = title ?? description;
  return status === 'deprecated' ? `${text} (deprecated)` : text;
};

const reportOmissions = (label: string, { invalid, isCut }: RegistryResult, io: CliIo): void => {
  for (const { name, problem } of invalid.slice(0, 5))
    io.stderr.write(
      `${escapeToLine(`${label}: ${name ?? 'an entry'} is left out: ${formatProblemText(problem)}`)}\n`,
    );
  if (invalid.length > 5)
    io.stderr.write(`${escapeToLine(label)}: ${String(invalid.length - 5)} more are left out\n`);
  if (isCut)
    io.stderr.write(
      `${escapeToLine(label)} has further servers that were not read: search for more words\n`,
    );
};

export async function searchRegistry(
  words: readonly string[],
  args: SearchArguments,
  io: CliIo,
): Promise<CommandResult> {
  const sources = await resolveRegistrySources(args);
  const query = words.join(' ');
  const results = await Promise.all(
    sources.map(async (source) => ({
      label: source.label,
      result: await readServers(source, query, io.getInterruptSignal()),
    })),
  );
  const found = results.flatMap(({ label, result }) =>
    searchServers(result.servers, query).map((server) => toSearchResult(server, label)),
  );
  writeValue(io, args.output, found, () => formatSearchResults(found, sources.length > 1, io));
  for (const { label, result } of results) reportOmissions(label, result, io);
  return 'succeeded';
}

function formatSearchResults(
  found: readonly SearchResult[],
  hasRegistries: boolean,
  io: CliIo,
): string {
  if (found.length === 0) return 'no servers\n';
  return formatTerminalTable(io, found, [
    { title: 'NAME', cell: ({ name }) => name },
    { title: 'VERSION', cell: ({ version }) => version },
    { title: 'RUNS', cell: formatRuns },
    ...(hasRegistries
      ? [{ title: 'REGISTRY', cell: ({ registry }: SearchResult) => registry }]
      : []),
    { title: 'TITLE', cell: formatServerTitle },
  ]);
}
