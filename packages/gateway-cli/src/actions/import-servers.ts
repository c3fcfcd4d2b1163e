import {
  CLIENT_SHAPES,
  createSecretPlace,
  type ImportedServer,
  extractSecrets,
  toLocalServer,
  type Risk,
  formatServerNote,
  formatServerProblem,
} from '@gateway/client-config';
import type { Mapping } from '@gateway/files';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  findSources,
  type ImportSource,
  isOwnEntry,
  readSources,
} from '../setup/import-sources.ts';
import {
  formatStartHint,
  listReplacedSecrets,
  type NewServer,
  ServerDirectory,
  type ServerPlan,
} from '../setup/server-directory.ts';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { formatTerminalTable } from '../output.ts';
import { formatDiff } from '../setup/diff-text.ts';

interface PlannedServer extends ServerPlan {
  readonly source: string;
  /** True for the entry of the gateway itself, which is left out. */
  readonly isOwn: boolean;
  readonly notes: readonly string[];
}

interface ImportArguments {
  readonly configDir: string;
  readonly project?: string;
  readonly only?: readonly string[];
  readonly rename?: ReadonlyMap<string, string>;
  readonly allow?: readonly Risk[];
  readonly start?: true;
  readonly replace?: true;
  readonly write?: true;
}

interface Candidate {
  readonly server: ImportedServer;
  readonly name: string;
  readonly hasDollarNames: boolean;
}

type IsNamed = (server: ImportedServer, wanted: string) => boolean;

/** A name as it is written comes before the name of an MCPServer. */
const createNameTest = (sources: readonly ImportSource[]): IsNamed => {
  const written = new Set(sources.flatMap(({ servers }) => servers.map(({ source }) => source)));
  return ({ source, name }, wanted) =>
    wanted === source || (wanted === name && !written.has(wanted));
};

/** Returns the names in the choices that no server of the sources has. */
const listUnknownNames = (
  sources: readonly ImportSource[],
  { only = [], rename = new Map() }: ImportArguments,
): readonly string[] => {
  const isNamed = createNameTest(sources);
  const servers = sources.flatMap((source) => source.servers);
  return [...new Set([...only, ...rename.keys()])].filter(
    (wanted) => !servers.some((server) => isNamed(server, wanted)),
  );
};

const listCandidates = (
  sources: readonly ImportSource[],
  { only, rename = new Map() }: ImportArguments,
): readonly Candidate[] => {
  const isNamed = createNameTest(sources);
  const isWanted = (server: ImportedServer): boolean =>
    only === undefined || only.some((wanted) => isNamed(server, wanted));
  const findName = (server: ImportedServer): string =>
    [...rename].find(([old]) => isNamed(server, old))?.[1] ?? server.name;
  return sources.flatMap(({ client, servers }) =>
    servers.filter(isWanted).map((server) => ({
      server,
      name: findName(server),
      hasDollarNames: client === 'gemini',
    })),
  );
};

/** A client starts the servers of a project in its directory. */
const toProjectDefinition = ({ definition, project }: ImportedServer): Mapping => {
  const { cwd } = definition;
  const isRelative = typeof cwd !== 'string' || !isAbsolute(cwd);
  return project === undefined || definition['type'] !== 'stdio' || !isRelative
    ? definition
    : { ...definition, cwd: resolve(project, typeof cwd === 'string' ? cwd : '.') };
};

/** Returns the `spec` with the start of a present server that is equal otherwise: a user may have started it since it was imported. */
const withPresentStart = (spec: Mapping, present: Mapping): Mapping => {
  const { autoStart } = present;
  const same = spec['autoStart'] === true ? spec : { ...spec, autoStart };
  return isDeepStrictEqual(present, same) ? same : spec;
};

/** Returns what a server changes. Without `isReplacing`, differences of its files are problems. */
const planFiles = async (
  directory: ServerDirectory,
  { name, spec, secrets }: NewServer,
  isReplacing: boolean,
): Promise<ServerPlan> => {
  const file = await directory.file(name);
  const wanted = file === undefined ? spec : withPresentStart(spec, directory.parseSpec(file));
  const plan = await directory.plan({ name, spec: wanted, secrets }, file);
  const isBlocked = file !== undefined && !isReplacing && plan.after !== file.text;
  const blockedSecrets = isReplacing ? [] : listReplacedSecrets(plan);
  return {
    ...plan,
    problems: [
      ...(isBlocked
        ? [`${file.path} exists and differs: use --replace, or --rename for another name`]
        : plan.problems),
      ...plan.secretProblems,
      ...blockedSecrets.map(
        (path) => `${path} exists with another value: use --replace, or --rename`,
      ),
    ],
  };
};

const planServer = async (
  directory: ServerDirectory,
  { server, name, hasDollarNames }: Candidate,
  { replace, allow = [], start }: ImportArguments,
): Promise<PlannedServer> => {
  const { source, problems, notes } = server;
  const about = { source, name, secrets: [], changes: [], problems: [], secretProblems: [] };
  if (isOwnEntry(server))
    return {
      ...about,
      spec: server.definition,
      isOwn: true,
      notes: ['left out: it is the entry of the gateway itself'],
    };
  const isHeld = [...notes, ...problems].some(({ code }) => code === 'disabled' || code === 'risk');
  const definition = { ...toProjectDefinition(server), autoStart: start === true && !isHeld };
  const local = toLocalServer({ name, definition }, { hasDollarNames });
  const place = createSecretPlace(name, 'files');
  const extracted = extractSecrets({ place, before: {}, change: local.spec });
  // localServer reports the placeholders that it cannot translate.
  const own = problems.filter(
    (problem) =>
      problem.code !== 'placeholder' && !(problem.code === 'risk' && allow.includes(problem.risk)),
  );
  const wrong = [
    ...(name === ''
      ? ['its name has no letter and no digit: give it another one with --rename']
      : []),
    ...[...own, ...local.problems].map(formatServerProblem),
  ];
  const found = { ...about, isOwn: false, notes: [...notes, ...local.notes].map(formatServerNote) };
  if (!extracted.ok) wrong.push(...extracted.issues);
  if (wrong.length > 0 || !extracted.ok) return { ...found, spec: local.spec, problems: wrong };
  const { change: spec, secrets } = extracted;
  return { ...found, ...(await planFiles(directory, { name, spec, secrets }, replace === true)) };
};

const isSame = (one: PlannedServer, other: PlannedServer): boolean =>
  isDeepStrictEqual([one.spec, one.secrets], [other.spec, other.secrets]);

/** Returns the servers without later ones that are equal; different ones with one name are problems. */
const withoutRepeated = (servers: readonly PlannedServer[]): readonly PlannedServer[] =>
  servers.flatMap((server, at) => {
    const others = servers.filter((other, index) => index !== at && other.name === server.name);
    const first = servers.findIndex((other) => other.name === server.name && isSame(other, server));
    if (first < at) return [];
    return others.every((other) => isSame(other, server))
      ? [server]
      : [
          {
            ...server,
            problems: [
              ...server.problems,
              `another server of this import has the name "${server.name}" too: use --rename or --only`,
            ],
          },
        ];
  });

const planImport = async (
  directory: ServerDirectory,
  sources: readonly ImportSource[],
  choices: ImportArguments,
): Promise<readonly PlannedServer[]> =>
  withoutRepeated(
    await Promise.all(
      listCandidates(sources, choices).map((candidate) =>
        planServer(directory, candidate, choices),
      ),
    ),
  );

/**
 * Imports servers from the configuration of a client. Without `--write` it shows what it would write.
 *
 * @param source a client, a file, or `-` for standard input; absent for a list of what can be imported
 */
export async function importServers(
  source: string | undefined,
  args: ImportArguments,
  io: CliIo,
): Promise<CommandResult> {
  if (source === undefined) return listSources(args, io);
  const sources = await readSources({ source, project: args.project }, io);
  const unknown = listUnknownNames(sources, args);
  if (unknown.length > 0)
    throw new CommandFailure(
      'refused',
      `the source has no server ${unknown.map((name) => `"${name}"`).join(', ')}`,
    );
  return ServerDirectory.use(args.configDir, async (directory) => {
    const planned = await planImport(directory, sources, args);
    if (planned.length === 0) throw new CommandFailure('refused', 'the source has no servers');
    report(planned, io);
    if (args.write === true)
      for (const plan of planned.filter(isChanged)) await directory.apply(plan);
    return printSummary(planned, args, io);
  });
}

const isRefused = ({ problems }: PlannedServer): boolean => problems.length > 0;

const isChanged = (plan: PlannedServer): boolean => !isRefused(plan) && plan.changes.length > 0;

async function listSources({ project }: ImportArguments, io: CliIo): Promise<CommandResult> {
  const { sources: rows, problems } = await findSources(io, project);
  for (const problem of problems) io.stderr.write(`left out: ${escapeToLine(problem)}\n`);
  io.stdout.write(
    rows.length === 0
      ? 'no file of a known client has servers\n'
      : formatTerminalTable(io, rows, [
          { title: 'CLIENT', cell: ({ client }) => client ?? '' },
          {
            title: 'SERVERS',
            cell: ({ servers }) => servers.map(({ source }) => source).join(', '),
          },
          { title: 'FILE', cell: ({ path }) => path },
        ]),
  );
  const first = rows[0]?.client;
  if (first !== undefined)
    io.stderr.write(
      `To import the servers of ${CLIENT_SHAPES[first].title}: gateway import ${first} --config-dir <dir>\n`,
    );
  return 'succeeded';
}

function report(planned: readonly PlannedServer[], io: CliIo): void {
  for (const { name, source, problems, notes, changes, isOwn } of planned) {
    const label = escapeToLine(name === '' ? source : name);
    for (const problem of problems)
      io.stderr.write(`${label}: not imported: ${escapeToLine(problem)}\n`);
    for (const note of notes) io.stderr.write(`${label}: ${escapeToLine(note)}\n`);
    if (problems.length > 0 || isOwn) continue;
    if (changes.length === 0) io.stdout.write(`${label}: the directory has it already\n`);
    for (const change of changes) io.stdout.write(formatDiff(change, io));
  }
}

const formatItemCount = (count: number, verb: string): string =>
  `${String(count)} ${count === 1 ? 'server' : 'servers'} ${verb}`;

function printSummary(
  planned: readonly PlannedServer[],
  { write, start }: ImportArguments,
  io: CliIo,
): CommandResult {
  const refused = planned.filter(isRefused).length;
  const changed = planned.filter(isChanged);
  const parts = [
    formatItemCount(changed.length, write === true ? 'imported' : 'to import'),
    ...(refused > 0 ? [formatItemCount(refused, 'refused')] : []),
  ];
  io.stdout.write(`${parts.join(', ')}\n`);
  if (write !== true && changed.length > 0)
    io.stderr.write('Nothing is written: run the command again with --write.\n');
  if (write === true && changed.some(({ spec }) => spec['autoStart'] !== true))
    io.stderr.write(formatStartHint(start));
  return refused > 0 ? 'failed' : 'succeeded';
}
