import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import * as z from 'zod/mini';

const MAX_DOCUMENT_CHARS = 8_000_000;
const MAX_SERVERS = 20_000;
const MAX_TEXT_CHARS = 8_192;
const MAX_NAME_CHARS = 512;
const MAX_URL_CHARS = 2_048;
const MAX_CURSOR_CHARS = 2_048;
const MAX_WAYS = 50;
const MAX_INPUTS = 100;
const MAX_CHOICES = 200;

type Path = readonly PropertyKey[];

interface FormatProblem {
  /** For example `packages[0].identifier`; empty for the whole document. */
  readonly place: string;
  readonly rule: string;
}

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,60}$/u;
const MAX_KEY_CHARS = 60;

const formatKey = (key: PropertyKey): string => {
  if (typeof key === 'number') return `[${String(key)}]`;
  const text = String(key);
  return PLAIN_KEY.test(text) ? `.${text}` : `[${JSON.stringify(text.slice(0, MAX_KEY_CHARS))}]`;
};

const formatPlace = (path: Path): string => path.map(formatKey).join('').replace(/^\./u, '');

const findValue = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    document,
  );

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['string', 'a text'],
]);

const formatSizeRule = (origin: string, bound: string): string =>
  origin === 'array' ? `must have at ${bound} entries` : `must have at ${bound} characters`;

type Issue = z.core.$ZodIssue;
type IssueByCode<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

const readMessage = ({ message }: { readonly message: string }): string => message;

const RULES: {
  readonly [Code in Issue['code']]: (issue: IssueByCode<Code>, value: unknown) => string;
} = {
  invalid_type: ({ expected }, value) =>
    value === undefined ? 'is missing' : `must be ${NOUNS.get(expected) ?? expected}`,
  invalid_value: ({ values }, value) =>
    value === undefined ? 'is missing' : `must be one of ${values.map(String).join(', ')}`,
  too_big: ({ origin, maximum }) => formatSizeRule(origin, `most ${String(maximum)}`),
  too_small: ({ origin, minimum }) => formatSizeRule(origin, `least ${String(minimum)}`),
  invalid_union: () => 'must be positional or named',
  invalid_key: () => 'is not a possible name',
  custom: readMessage,
  invalid_format: readMessage,
  invalid_element: readMessage,
  not_multiple_of: readMessage,
  unrecognized_keys: readMessage,
};

const formatRule = <Code extends Issue['code']>(
  issue: IssueByCode<Code> & { readonly code: Code },
  value: unknown,
): string => RULES[issue.code](issue, value);

const toFormatProblem = (document: unknown, error: z.core.$ZodError): FormatProblem => {
  const issue = error.issues[0];
  if (issue === undefined) return { place: '', rule: 'is not valid' };
  return {
    place: formatPlace(issue.path),
    rule: formatRule(issue, findValue(document, issue.path)),
  };
};

/** Returns a problem as a sentence without its subject: `packages[0].identifier is missing`. */
export const formatProblemText = ({ place, rule }: FormatProblem): string =>
  place === '' ? rule : `${place} ${rule}`;

const createTextSchema = (max: number) => z.string().check(z.maxLength(max));

const nameUpTo = (max: number) => createTextSchema(max).check(z.minLength(1));

const findText = createTextSchema(MAX_TEXT_CHARS);
const name = nameUpTo(MAX_NAME_CHARS);

const inputFields = {
  description: z.exactOptional(findText),
  isRequired: z._default(z.boolean(), false),
  isSecret: z._default(z.boolean(), false),
  format: z._default(z.enum(['string', 'number', 'boolean', 'filepath']), 'string'),
  default: z.exactOptional(findText),
  placeholder: z.exactOptional(findText),
  value: z.exactOptional(findText),
  choices: z._default(z.array(findText).check(z.maxLength(MAX_CHOICES)), []),
};

const inputSchema = z.object(inputFields);

const variablesSchema = z._default(
  z
    .record(name, inputSchema)
    .check(
      z.refine(
        (variables) => Object.keys(variables).length <= MAX_INPUTS,
        `must have at most ${String(MAX_INPUTS)} entries`,
      ),
    ),
  {},
);

const templateFields = { ...inputFields, variables: variablesSchema };

const toList = <T extends z.core.$ZodType>(schema: T) =>
  z._default(z.array(schema).check(z.maxLength(MAX_INPUTS)), []);

const namedValuesSchema = toList(z.object({ ...templateFields, name }));

const argumentFields = { ...templateFields, isRepeated: z._default(z.boolean(), false) };

const argumentsSchema = toList(
  z.discriminatedUnion('type', [
    z.object({
      ...argumentFields,
      type: z.literal('positional'),
      valueHint: z.exactOptional(name),
    }),
    z.object({ ...argumentFields, type: z.literal('named'), name }),
  ]),
);

export type RegistryInput = z.output<typeof inputSchema>;

export type TemplateInput = RegistryInput & {
  readonly variables: Readonly<Record<string, RegistryInput>>;
};

export type NamedValue = z.output<typeof namedValuesSchema>[number];

export type RegistryArgument = z.output<typeof argumentsSchema>[number];

const SERVER_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u;
const MAX_SERVER_NAME_CHARS = 200;
const MAX_VERSION_CHARS = 255;
const SHA256 = /^[a-f0-9]{64}$/u;

const packageSchema = z.object({
  registryType: name,
  identifier: name,
  version: z.exactOptional(name),
  registryBaseUrl: z.exactOptional(createTextSchema(MAX_URL_CHARS)),
  fileSha256: z.exactOptional(
    z.string().check(z.regex(SHA256, 'must be 64 hexadecimal digits in lower case')),
  ),
  runtimeHint: z.exactOptional(createTextSchema(MAX_NAME_CHARS)),
  runtimeArguments: argumentsSchema,
  packageArguments: argumentsSchema,
  environmentVariables: namedValuesSchema,
  transport: z.object({ type: z.enum(['stdio', 'streamable-http', 'sse']) }),
});

const remoteSchema = z.object({
  type: z.enum(['streamable-http', 'sse']),
  url: nameUpTo(MAX_URL_CHARS),
  headers: namedValuesSchema,
  variables: variablesSchema,
});

/** The schema of `server.json`. Unknown members are left out. */
const serverSchema = z.object({
  name: createTextSchema(MAX_SERVER_NAME_CHARS).check(
    z.regex(SERVER_NAME, 'must be a namespace and a name with one "/" between them'),
  ),
  title: z.exactOptional(createTextSchema(MAX_NAME_CHARS)),
  description: z._default(createTextSchema(MAX_TEXT_CHARS), ''),
  version: nameUpTo(MAX_VERSION_CHARS),
  packages: z._default(z.array(packageSchema).check(z.maxLength(MAX_WAYS)), []),
  remotes: z._default(z.array(remoteSchema).check(z.maxLength(MAX_WAYS)), []),
});

export type RegistryPackage = z.output<typeof packageSchema>;

/** An address of a server. */
export type RegistryRemote = z.output<typeof remoteSchema>;

type ServerDocument = z.output<typeof serverSchema>;

const STATUSES = ['active', 'deprecated', 'deleted'] as const;

export interface RegistryServer extends ServerDocument {
  readonly status: (typeof STATUSES)[number];
  /** The registry marks this version as the latest one of its server. */
  readonly isLatest: boolean;
}

interface InvalidEntry {
  readonly name?: string;
  readonly problem: FormatProblem;
}

export interface RegistryDocument {
  readonly servers: readonly RegistryServer[];
  readonly invalid: readonly InvalidEntry[];
  /** The position from which the list continues. */
  readonly nextCursor?: string;
}

/** A document, or the reason why it is refused. */
type ParsedRegistry =
  | { readonly ok: true; readonly document: RegistryDocument }
  | { readonly ok: false; readonly problem: string };

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

const statusSchema = z.object({
  status: z.exactOptional(z.enum(STATUSES)),
  isLatest: z.exactOptional(z.boolean()),
});

const parseStatus = (meta: unknown): Pick<RegistryServer, 'status' | 'isLatest'> => {
  const official = isJsonObject(meta) ? meta[OFFICIAL] : undefined;
  const parsed = statusSchema.safeParse(official ?? {});
  const { status = 'active', isLatest = false } = parsed.success ? parsed.data : {};
  return { status, isLatest };
};

/** Members of the format before 2025-09-16. */
const OLD_MEMBERS = ['registry_type', 'runtime_arguments', 'environment_variables'] as const;

const findOldMember = (server: JsonObject): FormatProblem | undefined => {
  const packages: readonly unknown[] = Array.isArray(server['packages']) ? server['packages'] : [];
  const at = packages.findIndex(
    (entry) => isJsonObject(entry) && OLD_MEMBERS.some((member) => Object.hasOwn(entry, member)),
  );
  return at === -1
    ? undefined
    : {
        place: `packages[${String(at)}]`,
        rule: 'has the member names of a schema before 2025-09-16, such as registry_type; they must be written as registryType',
      };
};

type ParsedEntry =
  | { readonly ok: true; readonly server: RegistryServer }
  | { readonly ok: false; readonly entry: InvalidEntry };

const parseEntry = (value: unknown): ParsedEntry => {
  const wrapped = isJsonObject(value) && isJsonObject(value['server']) ? value : { server: value };
  const server = wrapped['server'];
  if (!isJsonObject(server))
    return { ok: false, entry: { problem: { place: '', rule: 'must be an object' } } };
  const parsed = serverSchema.safeParse(server);
  const problem =
    findOldMember(server) ?? (parsed.success ? undefined : toFormatProblem(server, parsed.error));
  if (!parsed.success || problem !== undefined) {
    const { name } = server;
    const named = typeof name === 'string' ? { name: name.slice(0, 200) } : {};
    return {
      ok: false,
      entry: { ...named, problem: problem ?? { place: '', rule: 'is invalid' } },
    };
  }
  // Metadata of a registry stands next to the server; that within it is written by its publisher.
  return { ok: true, server: { ...parsed.data, ...parseStatus(wrapped['_meta']) } };
};

const parseEntries = (entries: readonly unknown[]): Omit<RegistryDocument, 'nextCursor'> => {
  const parsed = entries.map(parseEntry);
  return {
    servers: parsed.flatMap((entry) => (entry.ok ? [entry.server] : [])),
    invalid: parsed.flatMap((entry) => (entry.ok ? [] : [entry.entry])),
  };
};

const createRefusal = (problem: string): ParsedRegistry => ({ ok: false, problem });

const parseList = (root: JsonObject, entries: readonly unknown[]): ParsedRegistry => {
  if (entries.length > MAX_SERVERS)
    return createRefusal(`servers must have at most ${MAX_SERVERS.toLocaleString('en')} entries`);
  const { metadata } = root;
  const cursor = isJsonObject(metadata) ? metadata['nextCursor'] : undefined;
  if (cursor !== undefined && typeof cursor !== 'string')
    return createRefusal('metadata.nextCursor must be a text');
  if ((cursor ?? '').length > MAX_CURSOR_CHARS)
    return createRefusal(
      `metadata.nextCursor must have at most ${String(MAX_CURSOR_CHARS)} characters`,
    );
  return {
    ok: true,
    document: {
      ...parseEntries(entries),
      ...(cursor !== undefined && cursor !== '' && { nextCursor: cursor }),
    },
  };
};

/** Programs in Go write null for members without a value. */
const withoutNull = (_key: string, value: unknown): unknown => (value === null ? undefined : value);

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text, withoutNull) };
  } catch {
    // No JSON, or nested more deeply than the parser can follow.
    return undefined;
  }
};

/**
 * Parses a document of a registry: a `server.json`, one server with the metadata of a registry, or a list `{ servers, metadata }`. An entry of
 * a list that is not valid is left out and reported; a single server that is not valid refuses the document.
 */
export const parseRegistry = (text: string): ParsedRegistry => {
  if (text.length > MAX_DOCUMENT_CHARS)
    return createRefusal(`must have at most ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters`);
  const root = parseJson(text)?.value;
  if (!isJsonObject(root)) return createRefusal('must be a JSON object');
  const { servers } = root;
  if (Array.isArray(servers)) return parseList(root, servers);
  if (servers !== undefined) return createRefusal('servers must be a list');
  const { servers: found, invalid } = parseEntries([root]);
  const problem = invalid[0]?.problem;
  return problem === undefined
    ? { ok: true, document: { servers: found, invalid: [] } }
    : createRefusal(formatProblemText(problem));
};
