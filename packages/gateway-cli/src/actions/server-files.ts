import process from 'node:process';
import { isSseUrl } from '@gateway/client-config';
import {
  type McpServerType,
  type MisdirectedValue,
  formatMisdirectedValues,
  removeMisdirectedValues,
} from '@gateway/crd-schemas';
import { type Mapping, mergePatch } from '@gateway/files';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { CommandFailure } from '../failure.ts';
import { listServerSecrets, type ServerFile } from '@gateway/resource-store';
import { type CommandResult, escapeToLine } from '@gateway/service-host';
import type { CliIo } from '../cli-io.ts';
import { formatDiff } from '../setup/diff-text.ts';
import { listReplacedSecrets, ServerDirectory } from '../setup/server-directory.ts';

interface ServerFileArguments {
  readonly configDir: string;
  readonly url?: string;
  readonly type?: McpServerType;
  readonly env?: ReadonlyMap<string, string>;
  readonly header?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  readonly description?: string;
  readonly start: boolean;
}

interface RemoveArguments {
  readonly configDir: string;
}

interface DescribedServer {
  readonly name: string;
  /** The program and its arguments; empty without. */
  readonly command: readonly string[];
  readonly args: ServerFileArguments;
}

interface ChangedSpec {
  readonly spec: Mapping;
  /** Values of the server before that another one would receive. */
  readonly removed: readonly MisdirectedValue[];
}

const toAddress = ({ command, args: { url, type } }: DescribedServer): Mapping => {
  const [program, ...rest] = command;
  if (program !== undefined && url !== undefined)
    throw new CommandFailure('refused', 'a server has a command or --url, not both');
  if (program !== undefined)
    return { type: 'stdio', command: program, ...(rest.length > 0 && { args: rest }) };
  if (url === undefined) return type === undefined ? {} : { type };
  return { type: type ?? (isSseUrl(url) ? 'sse' : 'streamable-http'), url };
};

const toDefinition = (server: DescribedServer): Mapping => {
  const { env, header, cwd, description } = server.args;
  return {
    ...toAddress(server),
    ...(cwd !== undefined && { cwd }),
    ...(description !== undefined && { description }),
    ...(env !== undefined && { env: Object.fromEntries(env) }),
    ...(header !== undefined && { headers: Object.fromEntries(header) }),
  };
};

const OF_ADDRESSES = ['type', 'command', 'args', 'url'];

/** Returns the `spec` of a server with the changes that the options of a command describe, with secrets as they were given. */
const changeSpec = (before: Mapping, server: DescribedServer): ChangedSpec => {
  const definition = toDefinition(server);
  const hasAddress = 'command' in definition || 'url' in definition;
  const others = hasAddress ? OF_ADDRESSES.map((field) => [field, null] as const) : [];
  const { change, removed } = removeMisdirectedValues(before, definition);
  return {
    removed,
    spec: mergePatch(before, { ...Object.fromEntries(others), ...change }) as Mapping,
  };
};

type Kind = 'file' | 'directory';

const isPresent = async (path: string, kind: Kind): Promise<boolean> => {
  const facts = await stat(path).catch(() => undefined);
  return (kind === 'file' ? facts?.isFile() : facts?.isDirectory()) === true;
};

/** Returns whether a word can be a relative path. A word without a dot and a separator is a name, such as that of a package. */
const isRelative = (word: string): boolean =>
  /[./\\]/u.test(word) && !/^-|\$\{|^[a-z]+:\/\//u.test(word) && !isAbsolute(word);

/**
 * Makes paths absolute that exist below the working directory only. A gateway resolves relative paths from the configuration directory or from
 * `cwd`, but a shell completes them from its own directory.
 */
async function resolvePaths(
  server: DescribedServer,
  directory: string,
  workingDirectory: string,
): Promise<{ readonly server: DescribedServer; readonly located: readonly string[] }> {
  const located: string[] = [];
  const locate = async (word: string, base: string, kind: Kind): Promise<string> => {
    const path = resolve(workingDirectory, word);
    if (!isRelative(word) || (await isPresent(resolve(base, word), kind))) return word;
    if (!(await isPresent(path, kind))) return word;
    located.push(path);
    return path;
  };
  const { cwd: given } = server.args;
  const cwd = given === undefined ? undefined : await locate(given, directory, 'directory');
  const base = resolve(directory, cwd ?? '.');
  const command: string[] = [];
  for (const word of server.command) command.push(await locate(word, base, 'file'));
  const args = { ...server.args, ...(cwd !== undefined && { cwd }) };
  return { server: { ...server, command, args }, located };
}

const DEFAULT_EDITOR = process.platform === 'win32' ? 'notepad' : 'vi';

const run = (command: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', () => {
      reject(new CommandFailure('failed', `the editor ${command} cannot be started: set EDITOR`));
    });
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new CommandFailure('failed', 'the editor ended with an error; nothing changed'));
    });
  });

/** Returns the failure with the path of the text, which the user would otherwise lose. */
const withPath = (error: unknown, file: string): unknown =>
  error instanceof CommandFailure
    ? new CommandFailure(error.ending, `${error.message}; your text is in ${file}`, error.code)
    : error;

interface EditedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Passes a text to `use` as a user changed it with the editor of `VISUAL` or `EDITOR`, in a private copy. The copy is deleted, except when the
 * user changed it and the editor or `use` failed: then the failure names its path.
 *
 * @throws CommandFailure when the editor does not start or reports an error, or what `use` throws
 */
const editText = async (
  { name, text }: EditedText,
  env: Readonly<Record<string, string | undefined>>,
  use: (after: string) => Promise<void>,
): Promise<void> => {
  const words = (env['VISUAL'] || env['EDITOR'] || DEFAULT_EDITOR).trim().split(/\s+/u);
  const [command = DEFAULT_EDITOR, ...args] = words;
  const directory = await mkdtemp(join(tmpdir(), 'gateway-edit-'));
  const file = join(directory, name);
  let isKept = false;
  try {
    await writeFile(file, text, { mode: 0o600 });
    await run(command, [...args, file]);
    await use(await readFile(file, 'utf8'));
  } catch (error) {
    isKept = (await readFile(file, 'utf8').catch(() => text)) !== text;
    throw isKept ? withPath(error, file) : error;
  } finally {
    if (!isKept) await rm(directory, { recursive: true, force: true });
  }
};

const withDirectory = (
  configDir: string,
  task: (directory: ServerDirectory) => Promise<void>,
): Promise<CommandResult> =>
  ServerDirectory.use(configDir, async (directory): Promise<CommandResult> => {
    await task(directory);
    return 'succeeded';
  });

const write = async (
  directory: ServerDirectory,
  described: DescribedServer,
  {
    file,
    before,
    io,
  }: { readonly file?: ServerFile; readonly before: Mapping; readonly io: CliIo },
): Promise<void> => {
  const { server, located } = await resolvePaths(described, directory.path, process.cwd());
  for (const path of located)
    io.stderr.write(
      `Relative paths count from the configuration directory, so the file has ${escapeToLine(path)}.\n`,
    );
  const { name } = server;
  const { removed, spec } = changeSpec(before, server);
  const plan = await directory.plan({ name, spec, secrets: [] }, file);
  const { after } = plan;
  if (after === undefined)
    throw new CommandFailure('refused', `${name}: ${plan.problems.join('; ')}`);
  if (removed.length > 0) io.stderr.write(`${escapeToLine(formatMisdirectedValues(removed))}\n`);
  for (const warning of directory.listWarnings(after))
    io.stderr.write(`warning: ${escapeToLine(warning)}\n`);
  const existing = file === undefined ? listReplacedSecrets(plan) : [];
  const refusals = [
    ...plan.secretProblems,
    ...existing.map((path) => `${path} exists with another value: delete it, or use another name`),
  ];
  if (refusals.length > 0) throw new CommandFailure('refused', refusals.join('; '));
  await directory.apply(plan);
  for (const change of plan.changes) io.stdout.write(formatDiff(change, io));
  if (file !== undefined && after === file.text)
    io.stdout.write(`${escapeToLine(file.path)}: no change\n`);
};

/** Writes the file of a new server. Values that look like secrets are written to private files. */
export const addServer = (
  name: string,
  command: readonly string[],
  args: ServerFileArguments,
  io: CliIo,
): Promise<CommandResult> =>
  withDirectory(args.configDir, async (directory) => {
    const server = { name, command, args };
    const file = await directory.file(name);
    if (file !== undefined)
      throw new CommandFailure(
        'refused',
        `${file.path} exists already: change it with gateway servers edit ${name}`,
      );
    if (command.length === 0 && args.url === undefined)
      throw new CommandFailure(
        'refused',
        'a server needs a command after --, or --url: gateway servers add files --config-dir . -- npx -y @modelcontextprotocol/server-filesystem .',
      );
    await write(directory, server, { before: { autoStart: args.start }, io });
  });

const hasChanges = ({ command, args }: DescribedServer): boolean => {
  const { url, type, env, header, cwd, description } = args;
  return (
    command.length > 0 ||
    [url, type, env, header, cwd, description].some((value) => value !== undefined) ||
    !args.start
  );
};

/** Changes the file of a server by options; without options, with the editor of the user. Comments stay. */
export const editServer = (
  name: string,
  command: readonly string[],
  args: ServerFileArguments,
  io: CliIo,
): Promise<CommandResult> =>
  withDirectory(args.configDir, async (directory) => {
    const server = { name, command, args };
    const file = await directory.file(name);
    if (file === undefined) throw createNoServerFailure(name);
    if (hasChanges(server)) {
      const before = directory.parseSpec(file);
      await write(directory, server, {
        file,
        before: args.start ? before : { ...before, autoStart: false },
        io,
      });
      return;
    }
    if (io.terminal === undefined)
      throw new CommandFailure(
        'refused',
        'without a terminal no editor is started: name the change as an option, for example --description TEXT',
      );
    await editText({ name: `${name}.yaml`, text: file.text }, io.env, async (after) => {
      const problems = directory.listProblems(name, after);
      if (problems.length > 0)
        throw new CommandFailure('refused', `${file.path} is unchanged: ${problems.join('; ')}`);
      if (after === file.text) {
        io.stdout.write(`${escapeToLine(file.path)}: no change\n`);
        return;
      }
      await directory.replace(file, after);
      io.stdout.write(formatDiff({ path: file.path, before: file.text, after }, io));
    });
  });

/** Deletes the file of a server, and its secrets that no other file uses. */
export const removeServer = (
  name: string,
  { configDir }: RemoveArguments,
  io: CliIo,
): Promise<CommandResult> =>
  withDirectory(configDir, async (directory) => {
    const file = await directory.file(name);
    if (file === undefined) throw createNoServerFailure(name);
    const secrets = await listServerSecrets({ directory: directory.path, name, own: file.path });
    if (!(await directory.remove(name))) throw createNoServerFailure(name);
    io.stdout.write(`deleted ${escapeToLine(file.path)}\n`);
    for (const { path, use } of secrets)
      if (use === undefined) io.stdout.write(`deleted ${escapeToLine(path)}\n`);
      else io.stderr.write(`${escapeToLine(`${path} stays: ${use}`)}\n`);
  });

const createNoServerFailure = (name: string): CommandFailure =>
  new CommandFailure('refused', `the directory has no server "${name}"`);
