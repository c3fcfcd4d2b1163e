import { isSseUrl, localServer, type SecretFile } from '@gateway/client-config';
import { type ValueElsewhere, valuesElsewhere } from '@gateway/crd-schemas';
import type { Mapping } from '@gateway/files';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { CommandFailure } from '../failure.ts';

export interface ServerFileArguments {
  readonly configDir: string;
  readonly url?: string;
  readonly type?: 'stdio' | 'streamable-http' | 'sse';
  readonly env?: ReadonlyMap<string, string>;
  readonly header?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  readonly description?: string;
  readonly start: boolean;
}

export interface RemoveArguments {
  readonly configDir: string;
  readonly deleteSecrets?: boolean;
}

export interface DescribedServer {
  readonly name: string;
  /** The program and its arguments; empty without. */
  readonly command: readonly string[];
  readonly args: ServerFileArguments;
}

interface ChangedSpec {
  readonly spec: Mapping;
  readonly secrets: readonly SecretFile[];
  /** Values of the server before that another one would receive. */
  readonly removed: readonly ValueElsewhere[];
}

const addressOf = ({ command, args: { url, type } }: DescribedServer): Mapping => {
  const [program, ...rest] = command;
  if (program !== undefined && url !== undefined)
    throw new CommandFailure('refused', 'a server has a command or --url, not both');
  if (program !== undefined)
    return { type: 'stdio', command: program, ...(rest.length > 0 && { args: rest }) };
  if (url === undefined) return type === undefined ? {} : { type };
  return { type: type ?? (isSseUrl(url) ? 'sse' : 'streamable-http'), url };
};

const definitionOf = (server: DescribedServer): Mapping => {
  const { env, header, cwd, description } = server.args;
  return {
    ...addressOf(server),
    ...(cwd !== undefined && { cwd }),
    ...(description !== undefined && { description }),
    ...(env !== undefined && { env: Object.fromEntries(env) }),
    ...(header !== undefined && { headers: Object.fromEntries(header) }),
  };
};

interface Named {
  readonly name: string;
}

const namedIn = (list: unknown): readonly Named[] =>
  Array.isArray(list) ? (list as readonly Named[]) : [];

/** Merges a map and its references: each name is in one of them, as it was written last. Values that are removed are left out. */
const mergedMap = (key: 'env' | 'headers', { before, after, removed }: ChangedValues): Mapping => {
  const from = `${key}From`;
  const plain = (after[key] ?? {}) as Mapping;
  const references = namedIn(after[from]);
  const names = new Set([
    ...Object.keys(plain),
    ...references.map(({ name }) => name),
    ...removed.filter(({ field }) => field === key || field === from).map(({ name }) => name),
  ]);
  const kept = Object.entries((before[key] ?? {}) as Mapping).filter(([name]) => !names.has(name));
  const map = [...kept, ...Object.entries(plain)];
  const list = [...namedIn(before[from]).filter(({ name }) => !names.has(name)), ...references];
  return {
    ...(map.length > 0 && { [key]: Object.fromEntries(map) }),
    ...(list.length > 0 && { [from]: list }),
  };
};

interface ChangedValues {
  readonly before: Mapping;
  readonly after: Mapping;
  readonly removed: readonly ValueElsewhere[];
}

const MERGED = ['env', 'envFrom', 'headers', 'headersFrom'];
const OF_ADDRESSES = ['type', 'command', 'args', 'url'];

const without = (spec: Mapping, keys: readonly string[]): Mapping =>
  Object.fromEntries(Object.entries(spec).filter(([key]) => !keys.includes(key)));

/** Returns the `spec` of a server with the changes that the options of a command describe. Secrets are in files. */
export const changedSpec = (before: Mapping, server: DescribedServer): ChangedSpec => {
  const named = { name: server.name, definition: definitionOf(server) };
  const { spec, secrets } = localServer(named, { isTranslated: true });
  const hasAddress = 'command' in spec || 'url' in spec;
  const kept = without(before, hasAddress ? [...MERGED, ...OF_ADDRESSES] : MERGED);
  const removed = valuesElsewhere(before, spec);
  const values = { before, after: spec, removed };
  return {
    secrets,
    removed,
    spec: {
      ...kept,
      ...without(spec, MERGED),
      ...mergedMap('env', values),
      ...mergedMap('headers', values),
    },
  };
};

type Kind = 'file' | 'directory';

const exists = async (path: string, kind: Kind): Promise<boolean> => {
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
export async function locatePaths(
  server: DescribedServer,
  directory: string,
  workingDirectory: string,
): Promise<{ readonly server: DescribedServer; readonly located: readonly string[] }> {
  const located: string[] = [];
  const locate = async (word: string, base: string, kind: Kind): Promise<string> => {
    const path = resolve(workingDirectory, word);
    if (!isRelative(word) || (await exists(resolve(base, word), kind))) return word;
    if (!(await exists(path, kind))) return word;
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

/** Returns the failure with the path of the text, which the person would otherwise lose. */
const withPath = (error: unknown, file: string): unknown =>
  error instanceof CommandFailure
    ? new CommandFailure(error.ending, `${error.message}; your text is in ${file}`, error.code)
    : error;

interface EditedText {
  readonly name: string;
  readonly text: string;
}

/**
 * Passes a text to `use` as a person changed it with the editor of `VISUAL` or `EDITOR`, in a private copy. The copy is deleted, except when the
 * person changed it and the editor or `use` failed: then the failure names its path.
 *
 * @throws CommandFailure when the editor does not start or reports an error, or what `use` throws
 */
export const editText = async (
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
