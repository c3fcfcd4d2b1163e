import {
  type ImportedServer,
  localServer,
  type Risk,
  type SecretFile,
  serverNoteText,
  serverProblemText,
} from '@gateway/client-config';
import { isMapping, type Mapping, parseYaml } from '@gateway/files';
import { isAbsolute, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { FileChange } from './diff-text.ts';
import { type ImportSource, isOwnEntry } from './import-sources.ts';
import { secretChanges } from './secrets.ts';
import type { ServerChange, ServerDirectory, ServerSpec } from './server-directory.ts';

/** A server of an import, with what would be written. */
export interface PlannedServer extends ServerChange {
  /** The name in the source. */
  readonly source: string;
  readonly changes: readonly FileChange[];
  readonly secrets: readonly SecretFile[];
  /** True for the entry of the gateway itself, which is left out. */
  readonly isOwn: boolean;
  /** The reasons for which it is not imported. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** The choices of a person. */
interface ImportChoices {
  readonly only?: readonly string[] | undefined;
  readonly rename: ReadonlyMap<string, string>;
  readonly replace: boolean;
  readonly allow?: readonly Risk[] | undefined;
  readonly start?: boolean | undefined;
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
  { only = [], rename }: ImportChoices,
): readonly string[] => {
  const isNamed = namesIn(sources);
  const servers = sources.flatMap((source) => source.servers);
  return [...new Set([...only, ...rename.keys()])].filter(
    (wanted) => !servers.some((server) => isNamed(server, wanted)),
  );
};

const candidatesOf = (
  sources: readonly ImportSource[],
  { only, rename }: ImportChoices,
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

const specIn = (text: string): unknown => {
  const parsed = parseYaml(text);
  return parsed.ok && isMapping(parsed.value) ? parsed.value['spec'] : undefined;
};

/** A person may have started the server since it was imported. */
const isEqualButStart = (known: unknown, spec: Mapping): boolean => {
  if (!isMapping(known)) return false;
  const { autoStart } = known;
  return isDeepStrictEqual(known, spec['autoStart'] === true ? spec : { ...spec, autoStart });
};

interface Composed {
  readonly changes: readonly FileChange[];
  readonly problems: readonly string[];
}

/** The change of the file of a server, and the text that it was made from. */
interface ComposedFile extends Composed {
  readonly before?: string | undefined;
}

const fileChange = async (
  directory: ServerDirectory,
  server: ServerSpec,
  replace: boolean,
): Promise<ComposedFile> => {
  const file = await directory.file(server.name);
  if (file !== undefined && isEqualButStart(specIn(file.text), server.spec))
    return { changes: [], problems: [], before: file.text };
  if (file !== undefined && !replace)
    return {
      changes: [],
      problems: [`${file.path} exists and differs: use --replace, or --rename for another name`],
    };
  const composed = directory.compose(server, file);
  if (!composed.ok) return { changes: [], problems: composed.problems };
  const { path, before, after } = composed;
  return {
    changes: before === after ? [] : [{ path, after, ...(before !== undefined && { before }) }],
    problems: [],
    before,
  };
};

const changesOfSecrets = async (
  directory: ServerDirectory,
  secrets: readonly SecretFile[],
  replace: boolean,
): Promise<Composed> => {
  const { changes, problems } = await secretChanges(directory.path, secrets);
  const blocked = replace ? [] : changes.filter(({ before }) => before !== undefined);
  return {
    changes,
    problems: [
      ...problems,
      ...blocked.map(({ path }) => `${path} exists with another value: use --replace, or --rename`),
    ],
  };
};

const ownEntry = ({ source, definition }: ImportedServer, name: string): PlannedServer => ({
  ...{ source, name, spec: definition, secrets: [], isOwn: true },
  ...{ changes: [], problems: [], notes: ['left out: it is the entry of the gateway itself'] },
});

const planned = async (
  directory: ServerDirectory,
  { server, name, hasDollarNames }: Candidate,
  { replace, allow = [], start = false }: ImportChoices,
): Promise<PlannedServer> => {
  if (isOwnEntry(server)) return ownEntry(server, name);
  const isDisabled = server.notes.some(({ code }) => code === 'disabled');
  const isRisky = server.problems.some(({ code }) => code === 'risk');
  const definition = { ...inProject(server), autoStart: start && !isDisabled && !isRisky };
  const local = localServer({ name, definition }, { hasDollarNames });
  const spec = local.spec;
  // localServer reports the placeholders that it cannot translate.
  const own = server.problems.filter(
    (problem) =>
      problem.code !== 'placeholder' && !(problem.code === 'risk' && allow.includes(problem.risk)),
  );
  const wrong = [
    ...(name === ''
      ? ['its name has no letter and no digit: give it another one with --rename']
      : []),
    ...[...own, ...local.problems].map(serverProblemText),
  ];
  const file: ComposedFile =
    wrong.length > 0
      ? { changes: [], problems: wrong }
      : await fileChange(directory, { name, spec }, replace);
  const secrets = await changesOfSecrets(directory, local.secrets, replace);
  return {
    ...{ source: server.source, name, spec, before: file.before },
    ...{ secrets: local.secrets, isOwn: false },
    changes: [...secrets.changes, ...file.changes],
    problems: [...file.problems, ...secrets.problems],
    notes: [...server.notes, ...local.notes].map(serverNoteText),
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

/** Returns what an import would write, without writing. */
export const planImport = async (
  directory: ServerDirectory,
  sources: readonly ImportSource[],
  choices: ImportChoices,
): Promise<readonly PlannedServer[]> =>
  withoutRepeated(
    await Promise.all(
      candidatesOf(sources, choices).map((candidate) => planned(directory, candidate, choices)),
    ),
  );
