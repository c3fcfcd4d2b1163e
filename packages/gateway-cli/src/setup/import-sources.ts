import { resolve } from 'node:path';
import {
  CLIENT_IDS,
  CLIENT_SHAPES,
  configFilesOf,
  importRefusalText,
  isClientId,
  parseImport,
  type ClientId,
  type ImportedServer,
} from '@gateway/client-config';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { clientPlace, MAX_CLIENT_FILE_BYTES, readClientFile } from './client-files.ts';

/** The servers of one file. */
export interface ImportSource {
  /** The path, or `standard input`. */
  readonly path: string;
  readonly client?: ClientId;
  readonly servers: readonly ImportedServer[];
}

/** The source of an import, and its project. */
export interface SourceRequest {
  readonly source: string;
  readonly project?: string | undefined;
}

interface Text {
  readonly path: string;
  readonly text: string;
  readonly client?: ClientId;
  /** The directory in which the client starts the servers of this file. */
  readonly project?: string;
}

const parsed = (
  { text, project, ...about }: Text,
  projects: readonly string[] | undefined,
): ImportSource => {
  const result = parseImport(text, {
    maxChars: MAX_CLIENT_FILE_BYTES,
    ...(projects !== undefined && { projects }),
  });
  // The settings of a client may have no servers.
  const isEmpty = !result.ok && result.refusal.code === 'no-servers' && about.client !== undefined;
  if (!result.ok && !isEmpty)
    throw new CommandFailure('failed', `${about.path}: ${importRefusalText(result.refusal)}`);
  const servers = result.ok ? result.servers : [];
  return {
    ...about,
    servers: servers.map((server) => ({
      ...(project !== undefined && { project }),
      ...server,
    })),
  };
};

const textsOfClient = async (
  client: ClientId,
  { io, project }: { readonly io: CliIo; readonly project?: string | undefined },
): Promise<readonly Text[]> => {
  const place = clientPlace(io.env, project);
  const texts = await Promise.all(
    configFilesOf(client, place).map(async ({ scope, path }) => {
      const text = await readClientFile(path);
      return text === undefined
        ? []
        : [{ path, text, client, ...(scope === 'project' && { project: place.project }) }];
    }),
  );
  return texts.flat();
};

const sourcesOfClient = async (
  client: ClientId,
  { io, project }: { readonly io: CliIo; readonly project?: string | undefined },
): Promise<readonly ImportSource[]> => {
  const texts = await textsOfClient(client, { io, project });
  const place = clientPlace(io.env, project);
  if (texts.length > 0) return texts.map((text) => parsed(text, [place.project]));
  const paths = configFilesOf(client, place).map(({ path }) => path);
  throw new CommandFailure(
    'refused',
    `no file of ${CLIENT_SHAPES[client].title} exists: ${paths.join(', ')}`,
  );
};

/**
 * Reads the servers of a client, a file or standard input.
 *
 * @throws CommandFailure for a source that cannot be read
 */
export const readSources = async (
  { source, project }: SourceRequest,
  io: CliIo,
): Promise<readonly ImportSource[]> => {
  if (isClientId(source)) return sourcesOfClient(source, { io, project });
  const projects = project === undefined ? undefined : [resolve(project)];
  if (source === '-')
    return [parsed({ path: 'standard input', text: await io.readStdin() }, projects)];
  const text = await readClientFile(resolve(source));
  if (text === undefined)
    throw new CommandFailure(
      'refused',
      `${source} is neither a file nor a client; the clients are ${CLIENT_IDS.join(', ')}`,
    );
  return [parsed({ path: source, text }, projects)];
};

/** Returns the files of all clients on this machine, with their servers. A file that cannot be read has none. */
export const findSources = async (
  io: CliIo,
  project: string | undefined,
): Promise<readonly ImportSource[]> => {
  const found = await Promise.all(
    CLIENT_IDS.map((client) => sourcesOfClient(client, { io, project }).catch(() => [])),
  );
  return found.flat().filter(({ servers }) => servers.length > 0);
};
