import { isJsonObject, isTextList, readOwnField, type ConfigObject } from '../json.ts';
import { hasCredentials } from './address-kind.ts';
import type { ServerNote, ServerProblem } from './import-problem.ts';
import { validatePlaceholders } from './local-server.ts';
import { listServerRisks } from './server-risks.ts';

export interface ReadServer {
  readonly definition: ConfigObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

const createValueProblem = (field: string, rule: string): ServerProblem => ({
  code: 'wrong-value',
  field,
  rule,
});

/** A program cannot receive a variable with a blank or "=" in its name, and RFC 9110 §5.1 defines the names of headers. */
export const isName = (field: 'env' | 'headers', name: string): boolean =>
  (field === 'env' ? /^[A-Za-z_][\w.-]*$/u : /^[\w!#$%&'*+.^`|~-]+$/u).test(name);

/** Returns the problems of a field whose value is an object with texts, such as `env`. */
const validateTextMap = (
  server: ConfigObject,
  field: 'env' | 'headers',
): readonly ServerProblem[] => {
  const map = server[field];
  if (map === undefined) return [];
  if (!isJsonObject(map)) return [createValueProblem(field, 'an object with texts')];
  return Object.entries(map).flatMap(([name, value]) => [
    ...(isName(field, name) ? [] : [{ code: 'wrong-name', field, name } as const]),
    ...(typeof value === 'string'
      ? validatePlaceholders(`${field}.${name}`, value)
      : [createValueProblem(`${field}.${name}`, 'a text')]),
  ]);
};

const MAX_SPLIT_CHARS = 1_000;

/** A character that a shell interprets: only a shell knows what the command line means. */
const SHELL = /["'`$\\;|&<>*?(){}#~!\n]/;

/** A path with spaces, such as that of a program on Windows or macOS, is one word. */
const isPath = (command: string): boolean => /^(?:[A-Za-z]:)?[\\/]/.test(command);

/**
 * Reads `command` and `args` of a server. A command that contains its arguments is split where that is safe: the gateway starts programs
 * without a shell.
 */
const readCommand = ({ command, args = [] }: ConfigObject): ReadServer => {
  const read = { definition: {}, problems: [], notes: [] };
  if (typeof command !== 'string' || command.trim() === '')
    return { ...read, problems: [createValueProblem('command', 'a text')] };
  if (!isTextList(args))
    return { ...read, problems: [createValueProblem('args', 'a list of texts')] };
  const line = command.trim();
  if (!/\s/.test(line) || isPath(line))
    return { ...read, definition: { command: line, ...(args.length > 0 && { args }) } };
  if (line.length > MAX_SPLIT_CHARS || SHELL.test(line))
    return {
      ...read,
      definition: { command: line, args },
      problems: [{ code: 'command-line', command: line }],
    };
  const [program = '', ...words] = line.split(/\s+/);
  return {
    ...read,
    definition: { command: program, args: [...words, ...args] },
    notes: [{ code: 'split-command', command: line, program }],
  };
};

type Texts = readonly (readonly [name: string, text: string])[];

const formatVariable = (name: string): string => `\${env:${name}}`;

const listVariableHeaders = (server: ConfigObject): Texts => {
  const { bearer_token_env_var: bearer, env_http_headers: headers } = server;
  return [
    ...Object.entries(isJsonObject(headers) ? headers : {}).flatMap(([name, variable]) =>
      typeof variable === 'string' ? [[name, formatVariable(variable)] as const] : [],
    ),
    ...(typeof bearer === 'string'
      ? [['Authorization', `Bearer ${formatVariable(bearer)}`] as const]
      : []),
  ];
};

/** Codex: names of variables that the server gets from the environment of the program. */
const listVariables = (names: unknown): Texts =>
  (Array.isArray(names) ? names : []).flatMap((entry: unknown) => {
    const name = typeof entry === 'string' ? entry : readOwnField(entry, 'name');
    return typeof name === 'string' ? [[name, formatVariable(name)] as const] : [];
  });

/** Adds texts to a map; the value of another type stays, and is reported. */
const withTexts = (map: unknown, more: Texts): unknown =>
  more.length === 0 || (map !== undefined && !isJsonObject(map))
    ? map
    : Object.fromEntries([...Object.entries(map ?? {}), ...more]);

const CODEX = new Set(
  'http_headers env_http_headers bearer_token_env_var env_vars enabled startup_timeout_sec'.split(
    ' ',
  ),
);

const MAX_START_SECONDS = 600;

/** Returns a server in the fields that most clients use, for the fields that only Codex or Zed has. */
const withCommonFields = (server: ConfigObject): ConfigObject => {
  const { command, source, startup_timeout_sec: seconds } = server;
  const headers = withTexts(
    server['headers'] ?? server['http_headers'],
    listVariableHeaders(server),
  );
  const env = withTexts(server['env'], listVariables(server['env_vars']));
  const fields = {
    ...Object.fromEntries(
      Object.entries(server).filter(([key]) => !CODEX.has(key) && key !== 'source'),
    ),
    ...(headers !== undefined && { headers }),
    ...(env !== undefined && { env }),
    ...(server['enabled'] === false && { disabled: true }),
    ...(typeof seconds === 'number' &&
      seconds > 0 && {
        startTimeout: Math.min(MAX_START_SECONDS, Math.max(1, Math.round(seconds))),
      }),
    // Zed says where an entry is from.
    ...(source !== 'custom' && source !== undefined && { source }),
  };
  if (!isJsonObject(command)) return fields;
  // An object in earlier versions of Zed.
  const { path, args, env: variables } = command;
  return {
    ...fields,
    command: path,
    ...(args !== undefined && { args }),
    ...(variables !== undefined && { env: variables }),
  };
};

type ServerType = 'stdio' | 'streamable-http' | 'sse';

const TYPES: ReadonlyMap<string, ServerType> = new Map([
  ['stdio', 'stdio'],
  ['sse', 'sse'],
  ['http', 'streamable-http'],
  ['streamable-http', 'streamable-http'],
  ['streamable_http', 'streamable-http'],
  ['streamablehttp', 'streamable-http'],
]);

/** The keys that are read. Every other key is reported as left out. */
const KNOWN: ReadonlySet<string> = new Set(
  'type transport command args env cwd url httpUrl serverUrl headers description disabled startTimeout'.split(
    ' ',
  ),
);

/** Returns whether a URL is that of a server over SSE, by its path. */
export const isSseUrl = (url: unknown): boolean =>
  typeof url === 'string' &&
  URL.canParse(url) &&
  new URL(url).pathname.replace(/\/$/, '').endsWith('/sse');

/** Returns the type that the server names, or the type that its address implies. */
const toType = (server: ConfigObject, url: unknown): ServerType | { readonly unknown: string } => {
  const named = server['type'] ?? server['transport'];
  if (named !== undefined) {
    if (typeof named === 'object') return { unknown: '(object)' };
    const text = typeof named === 'string' ? named : JSON.stringify(named);
    return TYPES.get(text.toLowerCase()) ?? { unknown: text };
  }
  if (server['command'] !== undefined) return 'stdio';
  return isSseUrl(url) ? 'sse' : 'streamable-http';
};

const validateAddress = (command: unknown, url: unknown): readonly ServerProblem[] => {
  const hasCommand = command !== undefined;
  if (hasCommand === (url !== undefined))
    return [{ code: hasCommand ? 'two-addresses' : 'no-address' }];
  if (hasCommand) return [];
  if (typeof url !== 'string') return [createValueProblem('url', 'a text')];
  return hasCredentials(url) ? [{ code: 'credentials' }] : [];
};

/** The values of placeholders are known to the client alone: in an address or an argument they would be sent as they are. */
const listUnknownPlaceholders = (
  { command, args }: ConfigObject,
  url: unknown,
): readonly ServerProblem[] => {
  if (command === undefined) return validatePlaceholders('url', url);
  return isTextList(args)
    ? args.flatMap((text, at) => validatePlaceholders(`args[${String(at)}]`, text))
    : [];
};

const listNotes = (server: ConfigObject): readonly ServerNote[] => {
  const leftOut = Object.keys(server).filter((key) => !KNOWN.has(key));
  return [
    ...(server['disabled'] === true ? [{ code: 'disabled' as const }] : []),
    ...(leftOut.length === 0 ? [] : [{ code: 'left-out' as const, keys: leftOut }]),
  ];
};

const readObject = (server: ConfigObject): ReadServer => {
  const isLocal = server['command'] !== undefined;
  const url = ['url', 'httpUrl', 'serverUrl']
    .map((key) => server[key])
    .find((value) => value !== undefined);
  const type = toType(server, url);
  const command = isLocal ? readCommand(server) : undefined;
  const present = (...keys: readonly string[]): ConfigObject =>
    Object.fromEntries(
      keys.filter((key) => Object.hasOwn(server, key)).map((key) => [key, server[key]]),
    );
  const fields = isLocal
    ? { ...command?.definition, ...present('env', 'cwd', 'startTimeout') }
    : { url, ...present('headers') };
  return {
    definition: {
      type: typeof type === 'string' ? type : 'stdio',
      ...fields,
      ...present('description'),
      // The entry comes from another source: the user decides when it runs.
      autoStart: false,
    },
    problems: [
      ...(typeof type === 'string' ? [] : [{ code: 'unknown-type' as const, type: type.unknown }]),
      ...validateAddress(server['command'], url),
      ...(command?.problems ?? []),
      ...listUnknownPlaceholders(server, url),
      ...validateTextMap(server, isLocal ? 'env' : 'headers'),
      ...['cwd', 'description'].flatMap((field) =>
        ['undefined', 'string'].includes(typeof server[field])
          ? []
          : [createValueProblem(field, 'a text')],
      ),
      ...(typeof type === 'string' ? listServerRisks(fields) : []),
    ],
    notes: [...(command?.notes ?? []), ...listNotes(server)],
  };
};

export const readServer = (value: unknown): ReadServer =>
  isJsonObject(value)
    ? readObject(withCommonFields(value))
    : { definition: {}, problems: [{ code: 'not-an-object' }], notes: [] };
