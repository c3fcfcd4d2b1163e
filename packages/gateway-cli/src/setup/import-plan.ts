import {
  type ImportedServer,
  localServer,
  type Risk,
  serverNoteText,
  serverProblemText,
} from '@gateway/client-config';
import type { Mapping } from '@gateway/files';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ImportSource, isOwnEntry } from './import-sources.ts';
import { replacedSecrets, type ServerDirectory, type ServerPlan } from './server-directory.ts';

export interface PlannedServer extends ServerPlan {
  readonly source: string;
  /** True for the entry of the gateway itself, which is left out. */
  readonly isOwn: boolean;
  readonly notes: readonly string[];
}

export interface ImportArguments {
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
const namesIn = (sources: readonly ImportSource[]): IsNamed => {
  const written = new Set(sources.flatMap(({ servers }) => servers.map(({ source }) => source)));
  return ({ source, name }, wanted) =>
    wanted === source || (wanted === name && !written.has(wanted));
};

/** Returns the names in the choices that no server of the sources has. */
export const unknownNames = (
  sources: readonly ImportSource[],
  { only = [], rename = new Map() }: ImportArguments,
): readonly string[] => {
  const isNamed = namesIn(sources);
  const servers = sources.flatMap((source) => source.servers);
  return [...new Set([...only, ...rename.keys()])].filter(
    (wanted) => !servers.some((server) => isNamed(server, wanted)),
  );
};

const candidatesOf = (
  sources: readonly ImportSource[],
  { only, rename = new Map() }: ImportArguments,
): readonly Candidate[] => {
  const isNamed = namesIn(sources);
  const isWanted = (server: ImportedServer): boolean =>
    only === undefined || only.some((wanted) => isNamed(server, wanted));
  const nameOf = (server: ImportedServer): string =>
    [...rename].find(([old]) => isNamed(server, old))?.[1] ?? server.name;
  return sources.flatMap(({ client, servers }) =>
    servers.filter(isWanted).map((server) => ({
      server,
      name: nameOf(server),
      hasDollarNames: client === 'gemini',
    })),
  );
};

/** A client starts the servers of a project in its directory. */
const inProject = ({ definition, project }: ImportedServer): Mapping => {
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

const planned = async (
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
  const definition = { ...inProject(server), autoStart: start === true && !isHeld };
  const { spec, secrets, ...local } = localServer({ name, definition }, { hasDollarNames });
  // localServer reports the placeholders that it cannot translate.
  const own = problems.filter(
    (problem) =>
      problem.code !== 'placeholder' && !(problem.code === 'risk' && allow.includes(problem.risk)),
  );
  const wrong = [
    ...(name === ''
      ? ['its name has no letter and no digit: give it another one with --rename']
      : []),
    ...[...own, ...local.problems].map(serverProblemText),
  ];
  const found = { ...about, isOwn: false, notes: [...notes, ...local.notes].map(serverNoteText) };
  if (wrong.length > 0) return { ...found, spec, problems: wrong };
  const file = await directory.file(name);
  const present = file === undefined ? undefined : directory.specOf(file);
  const wanted = present === undefined ? spec : withPresentStart(spec, present);
  const plan = await directory.plan({ name, spec: wanted, secrets }, file);
  const isBlocked = file !== undefined && replace !== true && plan.after !== file.text;
  const blockedSecrets = replace === true ? [] : replacedSecrets(plan);
  return {
    ...found,
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

export const planImport = async (
  directory: ServerDirectory,
  sources: readonly ImportSource[],
  choices: ImportArguments,
): Promise<readonly PlannedServer[]> =>
  withoutRepeated(
    await Promise.all(
      candidatesOf(sources, choices).map((candidate) => planned(directory, candidate, choices)),
    ),
  );
