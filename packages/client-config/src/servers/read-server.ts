import { isJsonObject, type JsonObject } from '../reading/json-object.ts';
import { hasCredentials } from './address-kind.ts';
import { withCommonFields } from './common-fields.ts';
import { readCommand } from './read-command.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';
import { serverRisks } from './server-risks.ts';
import { isTextList, placeholderProblems, textMapProblems } from './text-values.ts';

/** A server as `core_mcpserver_create` takes it, with what is wrong or different. */
export interface ReadServer {
  readonly definition: JsonObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

type ServerType = 'stdio' | 'streamable-http' | 'sse';

/** The words that programs use for the transports. */
const TYPES: ReadonlyMap<string, ServerType> = new Map([
  ['stdio', 'stdio'],
  ['sse', 'sse'],
  ['http', 'streamable-http'],
  ['streamable-http', 'streamable-http'],
  ['streamable_http', 'streamable-http'],
  ['streamablehttp', 'streamable-http'],
]);

/** The keys that are read. Every other key is reported as left out. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['type', 'transport', 'command', 'args', 'env', 'cwd'],
  ...['url', 'httpUrl', 'serverUrl', 'headers', 'description', 'disabled', 'startTimeout'],
]);

const URL_KEYS = ['url', 'httpUrl', 'serverUrl'] as const;

const isSse = (url: string): boolean =>
  URL.canParse(url) && new URL(url).pathname.replace(/\/$/, '').endsWith('/sse');

const urlOf = (server: JsonObject): unknown =>
  URL_KEYS.map((key) => server[key]).find((value) => value !== undefined);

/** Returns the type that the server names, or the type that its address implies. */
const typeOf = (server: JsonObject): ServerType | { readonly unknown: string } => {
  const named = server['type'] ?? server['transport'];
  if (named !== undefined) {
    if (typeof named === 'object') return { unknown: '(object)' };
    const text = typeof named === 'string' ? named : JSON.stringify(named);
    return TYPES.get(text.toLowerCase()) ?? { unknown: text };
  }
  if (server['command'] !== undefined) return 'stdio';
  const url = urlOf(server);
  return typeof url === 'string' && isSse(url) ? 'sse' : 'streamable-http';
};

const addressProblems = (server: JsonObject): readonly ServerProblem[] => {
  const hasCommand = server['command'] !== undefined;
  const hasUrl = urlOf(server) !== undefined;
  if (hasCommand === hasUrl) return [{ code: hasCommand ? 'two-addresses' : 'no-address' }];
  const url = urlOf(server);
  if (!hasUrl) return [];
  if (typeof url !== 'string') return [{ code: 'wrong-value', field: 'url', rule: 'a text' }];
  return hasCredentials(url) ? [{ code: 'credentials' }] : [];
};

const present = (server: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(
    keys.filter((key) => Object.hasOwn(server, key)).map((key) => [key, server[key]]),
  );

const remoteFields = (server: JsonObject): JsonObject => ({
  url: urlOf(server),
  ...present(server, ['headers']),
});

const leftOut = (server: JsonObject): readonly ServerNote[] => {
  const keys = Object.keys(server).filter((key) => !KNOWN.has(key));
  return keys.length === 0 ? [] : [{ code: 'left-out', keys }];
};

const textProblems = (server: JsonObject): readonly ServerProblem[] =>
  ['cwd', 'description'].flatMap((field) =>
    server[field] === undefined || typeof server[field] === 'string'
      ? []
      : [{ code: 'wrong-value' as const, field, rule: 'a text' }],
  );

/** The values of placeholders are known to the client alone: in an address or an argument they would be sent as they are. */
const placeholders = (server: JsonObject): readonly ServerProblem[] => {
  if (server['command'] === undefined) return placeholderProblems('url', urlOf(server));
  const { args } = server;
  return isTextList(args)
    ? args.flatMap((text, at) => placeholderProblems(`args[${String(at)}]`, text))
    : [];
};

const readObject = (server: JsonObject): ReadServer => {
  const type = typeOf(server);
  const isDisabled = server['disabled'] === true;
  const command = readCommand(server);
  const isLocal = server['command'] !== undefined;
  const fields = isLocal
    ? { ...command.fields, ...present(server, ['env', 'cwd', 'startTimeout']) }
    : remoteFields(server);
  return {
    definition: {
      type: typeof type === 'string' ? type : 'stdio',
      ...fields,
      ...present(server, ['description']),
      // The entry comes from another source: the user decides when it runs.
      autoStart: false,
    },
    problems: [
      ...(typeof type === 'string' ? [] : [{ code: 'unknown-type' as const, type: type.unknown }]),
      ...addressProblems(server),
      ...command.problems,
      ...placeholders(server),
      ...textMapProblems(server, isLocal ? 'env' : 'headers'),
      ...textProblems(server),
      ...(typeof type === 'string' ? serverRisks(fields) : []),
    ],
    notes: [
      ...command.notes,
      ...(isDisabled ? [{ code: 'disabled' as const }] : []),
      ...leftOut(server),
    ],
  };
};

/** Reads one server of a settings file. */
export const readServer = (value: unknown): ReadServer =>
  isJsonObject(value)
    ? readObject(withCommonFields(value))
    : { definition: {}, problems: [{ code: 'not-an-object' }], notes: [] };
