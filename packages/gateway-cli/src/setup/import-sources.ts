import { isText, toList } from '@gateway/call-contract';
import { TOOLSET_HEADER_KEY } from '@gateway/toolset-grammar';
import {
  CLIENT_IDS,
  CLIENT_SHAPES,
  type ClientFile,
  type ClientId,
  type ClientPlace,
  type ClientServer,
  listConfigFiles,
  type ImportedServer,
  formatImportRefusal,
  isClientId,
  parseImport,
} from '@gateway/client-config';
import { resolve } from 'node:path';
import type { CliIo } from '../cli-io.ts';
import { isLoopback } from '../endpoint.ts';
import { CommandFailure } from '../failure.ts';
import { resolveClientPlace, MAX_CLIENT_FILE_BYTES, readClientFile } from './client-files.ts';

/** The program of the gateway: its command, its package, or its script in a clone. */
const PROGRAM =
  /(?:^|[\\/])gateway(?:\.(?:[cm]?js|cmd|exe))?$|^@gateway\/gateway(?:@.*)?$|[\\/]gateway[\\/](?:.*[\\/])?cli\.js$/u;

/** `gateway stdio`, however it is started. */
const isGatewayCommand = (command: unknown, args: unknown): boolean => {
  const words = [command, ...toList(args)].filter(isText);
  return words.some((word, at) => words[at + 1] === 'stdio' && PROGRAM.test(word));
};

const isGatewayAddress = ({ source, definition }: ClientServer, text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.pathname !== '/mcp' || !isLoopback(url)) return false;
  const headers = Object.keys(definition['headers'] ?? {});
  return source === 'gateway' || headers.some((name) => name.toLowerCase() === TOOLSET_HEADER_KEY);
};

/** Returns whether a server of a client is the entry that `gateway export` writes. As a server of the gateway it would start itself without end. */
export const isOwnEntry = (server: ClientServer): boolean => {
  const { command, args, url } = server.definition;
  return isGatewayCommand(command, args) || (isText(url) && isGatewayAddress(server, url));
};

export interface ImportSource {
  /** The path, or `standard input`. */
  readonly path: string;
  readonly client?: ClientId;
  readonly servers: readonly ImportedServer[];
}

interface SourceRequest {
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

const parseText = (
  { text, project, ...about }: Text,
  projects: readonly string[] | undefined,
): ImportSource => {
  const result = parseImport(text, {
    maxChars: MAX_CLIENT_FILE_BYTES,
    ...(projects !== undefined && { projects }),
  });
  // The settings of a client may have no servers, and some clients create files without content.
  const hasNone = text.trim() === '' || (!result.ok && result.refusal.code === 'no-servers');
  if (!result.ok && !(hasNone && about.client !== undefined))
    throw new CommandFailure('failed', `${about.path}: ${formatImportRefusal(result.refusal)}`);
  const servers = result.ok ? result.servers : [];
  return {
    ...about,
    servers: servers.map((server) => ({
      ...(project !== undefined && { project }),
      ...server,
    })),
  };
};

const readFileText = async (
  client: ClientId,
  { scope, path }: ClientFile,
  { project }: ClientPlace,
): Promise<Text | undefined> => {
  const text = await readClientFile(path);
  return text === undefined
    ? undefined
    : { path, text, client, ...(scope === 'project' && { project }) };
};

const readClientSources = async (
  client: ClientId,
  { io, project }: { readonly io: CliIo; readonly project?: string | undefined },
): Promise<readonly ImportSource[]> => {
  const place = resolveClientPlace(io.env, project);
  const files = listConfigFiles(client, place);
  const texts = await Promise.all(files.map((file) => readFileText(client, file, place)));
  const present = texts.flatMap((text) => text ?? []);
  if (present.length > 0) return present.map((text) => parseText(text, [place.project]));
  const paths = files.map(({ path }) => path);
  throw new CommandFailure(
    'refused',
    `no file of ${CLIENT_SHAPES[client].title} exists: ${paths.join(', ')}`,
  );
};

/** Reads the servers of a client, a file or standard input. @throws CommandFailure for a source that cannot be read */
export const readSources = async (
  { source, project }: SourceRequest,
  io: CliIo,
): Promise<readonly ImportSource[]> => {
  if (isClientId(source)) return readClientSources(source, { io, project });
  const projects = project === undefined ? undefined : [resolve(project)];
  if (source === '-')
    return [parseText({ path: 'standard input', text: await io.readStdin() }, projects)];
  const text = await readClientFile(resolve(source));
  if (text === undefined)
    throw new CommandFailure(
      'refused',
      `${source} is neither a file nor a client; the clients are ${CLIENT_IDS.join(', ')}`,
    );
  return [parseText({ path: source, text }, projects)];
};

/** The files of all clients on this machine that have servers, and a sentence for each that cannot be read. */
interface FoundSources {
  readonly sources: readonly ImportSource[];
  readonly problems: readonly string[];
}

const tryReadSource = async (
  client: ClientId,
  file: ClientFile,
  place: ClientPlace,
): Promise<ImportSource | string | undefined> => {
  try {
    const text = await readFileText(client, file, place);
    return text === undefined ? undefined : parseText(text, [place.project]);
  } catch (error) {
    if (error instanceof CommandFailure) return error.message;
    throw error;
  }
};

export const findSources = async (
  io: CliIo,
  project: string | undefined,
): Promise<FoundSources> => {
  const place = resolveClientPlace(io.env, project);
  const found = await Promise.all(
    CLIENT_IDS.flatMap((client) =>
      listConfigFiles(client, place).map((file) => tryReadSource(client, file, place)),
    ),
  );
  return {
    sources: found.flatMap((each) =>
      typeof each === 'object' && each.servers.length > 0 ? [each] : [],
    ),
    problems: found.flatMap((each) => (typeof each === 'string' ? [each] : [])),
  };
};
