import { localServer, type SecretFile } from '@gateway/client-config';
import { valuesElsewhere, type ValueElsewhere } from '@gateway/crd-schemas';
import type { Mapping } from '@gateway/files';
import type { ServerFileArguments } from '../arguments/server-file-arguments.ts';
import { CommandFailure } from '../failure.ts';

/** A server as the options of a command describe it. */
export interface DescribedServer {
  readonly name: string;
  /** The program and its arguments; empty without. */
  readonly command: readonly string[];
  readonly args: ServerFileArguments;
}

/** The fields of a server, with its secrets in files. */
export interface ChangedSpec {
  readonly spec: Mapping;
  readonly secrets: readonly SecretFile[];
  /** Values of the server before that another one would receive. */
  readonly removed: readonly ValueElsewhere[];
}

const isSse = (url: string): boolean =>
  URL.canParse(url) && new URL(url).pathname.replace(/\/$/u, '').endsWith('/sse');

const addressOf = ({ command, args: { url, type } }: DescribedServer): Mapping => {
  const [program, ...rest] = command;
  if (program !== undefined && url !== undefined)
    throw new CommandFailure('refused', 'a server has a command or --url, not both');
  if (program !== undefined)
    return { type: 'stdio', command: program, ...(rest.length > 0 && { args: rest }) };
  if (url === undefined) return type === undefined ? {} : { type };
  return { type: type ?? (isSse(url) ? 'sse' : 'streamable-http'), url };
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
