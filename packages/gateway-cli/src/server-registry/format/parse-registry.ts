import * as z from 'zod/mini';
import { firstProblem, formatProblemText, type FormatProblem } from './format-problem.ts';
import { MAX_CURSOR_CHARS, MAX_DOCUMENT_CHARS, MAX_SERVERS } from './limits.ts';
import { serverSchema, type ServerDocument } from './server-schema.ts';

/** The states of a version in a registry. */
const STATUSES = ['active', 'deprecated', 'deleted'] as const;

/** A server of a registry. */
export interface RegistryServer extends ServerDocument {
  readonly status: (typeof STATUSES)[number];
  /** The registry marks this version as the latest one of its server. */
  readonly isLatest: boolean;
}

/** An entry of a list that is not a server. */
export interface InvalidEntry {
  /** The name, where it can be read. */
  readonly name?: string;
  readonly problem: FormatProblem;
}

/** The servers of a document. */
export interface RegistryDocument {
  readonly servers: readonly RegistryServer[];
  readonly invalid: readonly InvalidEntry[];
  /** The position from which the list continues. */
  readonly nextCursor?: string;
}

/** A document, or the reason why it is refused. */
export type ParsedRegistry =
  | { readonly ok: true; readonly document: RegistryDocument }
  | { readonly ok: false; readonly problem: string };

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

const statusSchema = z.object({
  status: z.exactOptional(z.enum(STATUSES)),
  isLatest: z.exactOptional(z.boolean()),
});

const statusOf = (meta: unknown): Pick<RegistryServer, 'status' | 'isLatest'> => {
  const official = isObject(meta) ? meta[OFFICIAL] : undefined;
  const parsed = statusSchema.safeParse(official ?? {});
  const { status = 'active', isLatest = false } = parsed.success ? parsed.data : {};
  return { status, isLatest };
};

/** Members of the format before 2025-09-16. */
const OLD_MEMBERS = ['registry_type', 'runtime_arguments', 'environment_variables'] as const;

const oldMember = (server: JsonObject): FormatProblem | undefined => {
  const packages: readonly unknown[] = Array.isArray(server['packages']) ? server['packages'] : [];
  const at = packages.findIndex(
    (entry) => isObject(entry) && OLD_MEMBERS.some((member) => Object.hasOwn(entry, member)),
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
  const wrapped = isObject(value) && isObject(value['server']) ? value : { server: value };
  const server = wrapped['server'];
  if (!isObject(server))
    return { ok: false, entry: { problem: { place: '', rule: 'must be an object' } } };
  const parsed = serverSchema.safeParse(server);
  const problem =
    oldMember(server) ?? (parsed.success ? undefined : firstProblem(server, parsed.error));
  if (!parsed.success || problem !== undefined) {
    const { name } = server;
    const named = typeof name === 'string' ? { name: name.slice(0, 200) } : {};
    return {
      ok: false,
      entry: { ...named, problem: problem ?? { place: '', rule: 'is invalid' } },
    };
  }
  // Metadata of a registry stands next to the server; that within it is written by its publisher.
  return { ok: true, server: { ...parsed.data, ...statusOf(wrapped['_meta']) } };
};

const listOf = (entries: readonly unknown[]): Omit<RegistryDocument, 'nextCursor'> => {
  const parsed = entries.map(parseEntry);
  return {
    servers: parsed.flatMap((entry) => (entry.ok ? [entry.server] : [])),
    invalid: parsed.flatMap((entry) => (entry.ok ? [] : [entry.entry])),
  };
};

const refused = (problem: string): ParsedRegistry => ({ ok: false, problem });

const parseList = (root: JsonObject, entries: readonly unknown[]): ParsedRegistry => {
  if (entries.length > MAX_SERVERS)
    return refused(`servers must have at most ${MAX_SERVERS.toLocaleString('en')} entries`);
  const { metadata } = root;
  const cursor = isObject(metadata) ? metadata['nextCursor'] : undefined;
  if (cursor !== undefined && typeof cursor !== 'string')
    return refused('metadata.nextCursor must be a text');
  if ((cursor ?? '').length > MAX_CURSOR_CHARS)
    return refused(`metadata.nextCursor must have at most ${String(MAX_CURSOR_CHARS)} characters`);
  return {
    ok: true,
    document: {
      ...listOf(entries),
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
    return refused(`must have at most ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters`);
  const root = parseJson(text)?.value;
  if (!isObject(root)) return refused('must be a JSON object');
  const { servers } = root;
  if (Array.isArray(servers)) return parseList(root, servers);
  if (servers !== undefined) return refused('servers must be a list');
  const { servers: found, invalid } = listOf([root]);
  const problem = invalid[0]?.problem;
  return problem === undefined
    ? { ok: true, document: { servers: found, invalid: [] } }
    : refused(formatProblemText(problem));
};
