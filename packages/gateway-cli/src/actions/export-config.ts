import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import {
  CLIENT_SHAPES,
  type ClientId,
  type ClientServer,
  listConfigFiles,
  findEntry,
  type GatewayEndpoint,
  mergeConfig,
  type NamedEndpoint,
  renderConfig,
  type RenderedConfig,
} from '@gateway/client-config';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { CliIo } from '../cli-io.ts';
import { parseEndpoint } from '../endpoint.ts';
import type { ServingCommands } from '../command-context.ts';
import { CommandFailure } from '../failure.ts';
import { resolveClientPlace, readClientFile, writeClientFile } from '../setup/client-files.ts';
import { formatDiff } from '../setup/diff-text.ts';
import { isOwnEntry } from '../setup/import-sources.ts';
import { splitLine } from '../shell/lines.ts';

export interface ExportArguments {
  readonly client: ClientId;
  readonly url: string;
  readonly stdio?: true;
  /** The configuration directory of the program; without it the program connects to the URL. */
  readonly configDir?: string;
  readonly toolset?: string;
  readonly name: string;
  /** The program and its first arguments, which run this command line; this program when absent. */
  readonly command?: string;
  readonly project?: string;
  readonly file?: string;
  readonly write?: true;
  readonly replace?: true;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

const PACKAGE = '@gateway/gateway';
/** The folder in which npx keeps packages for a time, with the folder of this package in it. */
const TEMPORARY = /^.*[\\/]_npx[\\/][^\\/]+(?=[\\/])/u;
/** The path or the URL of a package that is not from the registry, as npm writes it. */
const ELSEWHERE = /^[a-z+]{2,}:/u;

/** Returns where npx has this package from: a path or URL, or `undefined` for the registry. */
const findPackageSource = (folder: string): string | undefined => {
  let written: unknown;
  try {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Readonly<Record<string, unknown>>;
    };
    written = dependencies?.[PACKAGE];
  } catch {
    return undefined;
  }
  if (typeof written !== 'string' || !ELSEWHERE.test(written)) return undefined;
  return written.startsWith('file:') ? resolve(folder, written.slice('file:'.length)) : written;
};

const createNpxProgram = (folder: string): Program => {
  const source = findPackageSource(folder);
  const args = source === undefined ? [PACKAGE] : ['--package', source, 'gateway'];
  return { command: 'npx', args: ['-y', ...args] };
};

/**
 * Returns how another program starts this command line: the words of a command, otherwise this program with absolute paths, because
 * applications that start from a desktop have another search path. A program of npx is started by npx, because npx deletes its folder; a
 * package that is not from the registry has its path, because the registry may have another package of this name.
 */
export const resolveGatewayProgram = (words?: readonly string[]): Program => {
  if (words !== undefined) {
    const [command = '', ...args] = words;
    return { command, args };
  }
  const script = process.argv[1];
  if (script === undefined) return { command: 'gateway', args: [] };
  const folder = TEMPORARY.exec(script)?.[0];
  if (folder !== undefined) return createNpxProgram(folder);
  return { command: process.execPath, args: [resolve(script)] };
};

/** Returns the words of `--command`. Without a quote, backslashes are plain text, as in paths of Windows. */
const parseWords = (command: string): readonly string[] => {
  if (!/["']/u.test(command)) return command.trim().split(/\s+/u);
  const { words, open } = splitLine(command);
  if (open !== undefined)
    throw new CommandFailure('refused', `--command: the ${open} is not closed`);
  return words.map(({ text }) => text);
};

const createStdioEndpoint = (
  args: ExportArguments,
): Extract<GatewayEndpoint, { kind: 'stdio' }> => {
  const program = resolveGatewayProgram(
    args.command === undefined ? undefined : parseWords(args.command),
  );
  const { configDir, url, toolset } = args;
  return {
    kind: 'stdio',
    command: program.command,
    args: [
      ...program.args,
      'stdio',
      ...(configDir === undefined ? ['--url', url] : ['--config-dir', resolve(configDir)]),
      ...(toolset === undefined ? [] : ['--toolset', toolset]),
    ],
  };
};

/** Returns how the client reaches the gateway: by the URL where its file can have one, otherwise by a program. */
const toEndpoint = (args: ExportArguments): GatewayEndpoint => {
  const { client, url, toolset, stdio, configDir } = args;
  return stdio === true || configDir !== undefined || CLIENT_SHAPES[client].urlKey === undefined
    ? createStdioEndpoint(args)
    : {
        kind: 'http',
        url,
        ...(toolset !== undefined && { headers: { [TOOLSET_HEADER]: toolset } }),
      };
};

const resolveFile = ({ client, file, project }: ExportArguments, { env }: CliIo): string => {
  if (file !== undefined) return resolve(file);
  const files = listConfigFiles(client, resolveClientPlace(env, project));
  const scope = project === undefined ? 'user' : 'project';
  const found = files.find((each) => each.scope === scope);
  if (found !== undefined) return found.path;
  throw new CommandFailure('refused', `${CLIENT_SHAPES[client].title} has no file for a project`);
};

const toText = (rendered: RenderedConfig): string => {
  if (!rendered.ok) throw new CommandFailure('refused', rendered.problem);
  return rendered.text;
};

const printConfig = (args: ExportArguments, named: NamedEndpoint, io: CliIo): void => {
  io.stdout.write(toText(renderConfig(args.client, named)));
  const { title, place } = CLIENT_SHAPES[args.client];
  io.stderr.write(
    `${title}: ${place}.\nTo add it to ${escapeToLine(resolveFile(args, io))}, run the command with --write.\n`,
  );
};

const hasSameProgram = ({ definition }: ClientServer, args: ExportArguments): boolean => {
  const { command, args: words } = createStdioEndpoint(args);
  const start = [command, ...words.slice(0, words.indexOf('stdio') + 1)];
  const present = [definition['command'], definition['args']].flat();
  return start.every((word, at) => present[at] === word);
};

/** Refuses to replace an entry of the same name that another program needs. An entry with the same URL is one of this gateway. */
const refuseOther = (
  args: ExportArguments,
  { path, before }: { readonly path: string; readonly before: string },
): void => {
  const { client, name, url, replace } = args;
  const present = findEntry(client, before, name);
  if (replace === true || present === undefined) return;
  const isSame = present.definition['url'] === url || hasSameProgram(present, args);
  if (isSame || isOwnEntry(present)) return;
  throw new CommandFailure(
    'refused',
    `${path} has another server with the name "${name}": use --name for another name, or --replace to replace it`,
  );
};

const installConfig = async (
  args: ExportArguments,
  named: NamedEndpoint,
  io: CliIo,
): Promise<void> => {
  const path = resolveFile(args, io);
  const before = await readClientFile(path);
  const merged = mergeConfig(args.client, before ?? '', named);
  if (!merged.ok) throw new CommandFailure('failed', `${path}: ${merged.problem}`);
  if (merged.text === before) {
    io.stdout.write(`${escapeToLine(path)} has this entry already\n`);
    return;
  }
  if (before !== undefined) refuseOther(args, { path, before });
  await writeClientFile(path, { before, after: merged.text });
  io.stdout.write(
    formatDiff(
      { path, after: merged.text, isShared: true, ...(before !== undefined && { before }) },
      io,
    ),
  );
  io.stderr.write(`Start ${CLIENT_SHAPES[args.client].title} again to use it.\n`);
};

export async function exportConfig(
  args: ExportArguments,
  io: CliIo,
  toolsetProblem: ServingCommands['toolsetProblem'],
): Promise<CommandResult> {
  parseEndpoint(args.url, 'url');
  const problem = args.toolset === undefined ? undefined : toolsetProblem(args.toolset);
  if (problem !== undefined) throw new CommandFailure('refused', `--toolset: ${problem}`);
  const named = { name: args.name, endpoint: toEndpoint(args) };
  if (args.write === true) await installConfig(args, named, io);
  else printConfig(args, named, io);
  return 'succeeded';
}
