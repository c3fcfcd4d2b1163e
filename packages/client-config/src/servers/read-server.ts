import { isTextList, isJsonObject, type JsonObject, ownValue } from '../json.ts';
import { hasCredentials } from './address-kind.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';
import { placeholderIn } from './local-server.ts';
import { serverRisks } from './server-risks.ts';

/** Returns the problem of a text that its client would replace in part. */
const placeholderProblems = (field: string, text: unknown): readonly ServerProblem[] => {
  const placeholder = typeof text === 'string' ? placeholderIn(text) : undefined;
  return placeholder === undefined ? [] : [{ code: 'placeholder', field, placeholder }];
};

const valueProblem = (field: string, value: unknown): readonly ServerProblem[] =>
  typeof value === 'string'
    ? placeholderProblems(field, value)
    : [{ code: 'wrong-value', field, rule: 'a text' }];

/** A program cannot receive a variable with a blank or "=" in its name, and RFC 9110 §5.1 defines the names of headers. */
export const isName = (field: 'env' | 'headers', name: string): boolean =>
  (field === 'env' ? /^[A-Za-z_][\w.-]*$/u : /^[\w!#$%&'*+.^`|~-]+$/u).test(name);

/** Returns the problems of a field whose value is an object with texts, such as `env`. */
const textMapProblems = (
  server: JsonObject,
  field: 'env' | 'headers',
): readonly ServerProblem[] => {
  const map = server[field];
  if (map === undefined) return [];
  if (!isJsonObject(map)) return [{ code: 'wrong-value', field, rule: 'an object with texts' }];
  return Object.entries(map).flatMap(([name, value]) => [
    ...(isName(field, name) ? [] : [{ code: 'wrong-name', field, name } as const]),
    ...valueProblem(`${field}.${name}`, value),
  ]);
};

/** The command of a stdio server in fields. */
interface ReadCommand {
  readonly fields: JsonObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

const NOTHING: ReadCommand = { fields: {}, problems: [], notes: [] };

const MAX_SPLIT_CHARS = 1_000;

/** A character that a shell interprets: only a shell knows what the command line means. */
const SHELL = /["'`$\\;|&<>*?(){}#~!\n]/;

const wrong = (field: string, rule: string): ReadCommand => ({
  ...NOTHING,
  problems: [{ code: 'wrong-value', field, rule }],
});

/** Returns a command that contains its arguments, split where that is safe. The gateway starts programs without a shell. */
const splitCommand = (command: string, args: readonly string[]): ReadCommand => {
  if (command.length > MAX_SPLIT_CHARS || SHELL.test(command))
    return { ...NOTHING, fields: { command, args }, problems: [{ code: 'command-line', command }] };
  const [program = '', ...words] = command.split(/\s+/);
  return {
    ...NOTHING,
    fields: { command: program, args: [...words, ...args] },
    notes: [{ code: 'split-command', command, program }],
  };
};

/** A path with spaces, such as that of a program on Windows or macOS, is one word. */
const isPath = (command: string): boolean => /^(?:[A-Za-z]:)?[\\/]/.test(command);

/** Reads `command` and `args` of a server; nothing for a server without a command. */
const readCommand = ({ command, args = [] }: JsonObject): ReadCommand => {
  if (command === undefined) return NOTHING;
  if (typeof command !== 'string' || command.trim() === '') return wrong('command', 'a text');
  if (!isTextList(args)) return wrong('args', 'a list of texts');
  const trimmed = command.trim();
  return /\s/.test(trimmed) && !isPath(trimmed)
    ? splitCommand(trimmed, args)
    : { ...NOTHING, fields: { command: trimmed, ...(args.length > 0 && { args }) } };
};

/** Returns the entries of an object whose values are texts. */
const texts = (value: unknown): readonly (readonly [string, string])[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, text] as const] : [],
      )
    : [];

const ofVariable = (name: string): string => `\${env:${name}}`;

/** Codex: headers whose values are in variables. */
const variableHeaders = (server: JsonObject): readonly (readonly [string, string])[] => {
  const bearer = server['bearer_token_env_var'];
  return [
    ...texts(server['env_http_headers']).map(
      ([name, variable]) => [name, ofVariable(variable)] as const,
    ),
    ...(typeof bearer === 'string'
      ? [['Authorization', `Bearer ${ofVariable(bearer)}`] as const]
      : []),
  ];
};

/** Codex: names of variables that the server gets from the environment of the program. */
const forwardedVariables = (names: unknown): readonly (readonly [string, string])[] =>
  (Array.isArray(names) ? names : []).flatMap((entry: unknown) => {
    const name = typeof entry === 'string' ? entry : ownValue(entry, 'name');
    return typeof name === 'string' ? [[name, ofVariable(name)] as const] : [];
  });

const merged = (
  map: unknown,
  more: readonly (readonly [string, string])[],
): JsonObject | undefined =>
  more.length === 0 || (map !== undefined && !isJsonObject(map))
    ? undefined
    : Object.fromEntries([...Object.entries(map ?? {}), ...more]);

const CODEX = new Set([
  ...['http_headers', 'env_http_headers', 'bearer_token_env_var', 'env_vars'],
  ...['enabled', 'startup_timeout_sec'],
]);

const MAX_START_SECONDS = 600;

const startTimeout = (seconds: unknown): JsonObject =>
  typeof seconds === 'number' && seconds > 0
    ? { startTimeout: Math.min(MAX_START_SECONDS, Math.max(1, Math.round(seconds))) }
    : {};

const codexFields = (server: JsonObject): JsonObject => {
  const headers = merged(server['headers'] ?? server['http_headers'], variableHeaders(server));
  const env = merged(server['env'], forwardedVariables(server['env_vars']));
  return {
    ...(server['http_headers'] !== undefined && { headers: server['http_headers'] }),
    ...(headers !== undefined && { headers }),
    ...(env !== undefined && { env }),
    ...(server['enabled'] === false && { disabled: true }),
    ...startTimeout(server['startup_timeout_sec']),
  };
};

/** Zed: `source` says where an entry is from, and `command` was an object in earlier versions. */
const zedFields = ({ command, source }: JsonObject): JsonObject => ({
  ...(source !== 'custom' && source !== undefined && { source }),
  ...(isJsonObject(command) && {
    command: ownValue(command, 'path'),
    ...(ownValue(command, 'args') !== undefined && { args: ownValue(command, 'args') }),
    ...(ownValue(command, 'env') !== undefined && { env: ownValue(command, 'env') }),
  }),
});

/** Returns a server in the fields that most clients use, for the fields that only Codex or Zed has. */
const withCommonFields = (server: JsonObject): JsonObject => {
  const rest = Object.entries(server).filter(([key]) => !CODEX.has(key) && key !== 'source');
  return Object.fromEntries([
    ...rest,
    ...Object.entries(codexFields(server)),
    ...Object.entries(zedFields(server)),
  ]);
};

/** A server as `core_mcpserver_create` takes it, with what is wrong or different. */
interface ReadServer {
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
