import { isJsonObject, type JsonObject } from '../mcp/mcp-outcome.ts';
import type { ImportRefusal, ServerNote, ServerProblem } from './import-problem.ts';
import { strictJson } from './relaxed-json.ts';
import { repeatedNames } from './repeated-names.ts';
import { readServer } from './read-server.ts';
import { resourceName } from './resource-name.ts';

/** A server that a text names. */
export interface ImportedServer {
  /** The name in the text, which is unique in it. */
  readonly source: string;
  /** The proposed name of the `MCPServer`; an empty text when the source has no letter and no digit. */
  readonly name: string;
  /** The arguments of `core_mcpserver_create`, except the name. */
  readonly definition: JsonObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
}

/** The servers that a text names, or why it names none. */
export type ParsedImport =
  | { readonly ok: true; readonly servers: readonly ImportedServer[] }
  | { readonly ok: false; readonly refusal: ImportRefusal };

/** The most characters of a text to import. */
export const MAX_IMPORT_CHARS = 1_000_000;

const MAX_SERVERS = 200;

/** The keys under which programs keep their servers. */
const PARENTS = ['mcpServers', 'servers'] as const;

const PLACE = /line \d+ column \d+/;

const refused = (refusal: ImportRefusal): ParsedImport => ({ ok: false, refusal });

const placeOf = (error: unknown): string | undefined =>
  error instanceof Error ? PLACE.exec(error.message)?.[0] : undefined;

const importedServer = (source: string, value: unknown, isRepeated: boolean): ImportedServer => {
  const name = resourceName(source);
  const { definition, problems, notes } = readServer(value);
  return {
    source,
    name,
    definition,
    problems: isRepeated ? [{ code: 'repeated-name' }, ...problems] : problems,
    notes: name === source ? notes : [{ code: 'renamed', from: source }, ...notes],
  };
};

const serversIn = (json: string, document: unknown): ParsedImport => {
  const parent = PARENTS.find((key) => isJsonObject(document) && isJsonObject(document[key]));
  const named = isJsonObject(document) && parent !== undefined ? document[parent] : undefined;
  const entries = isJsonObject(named) ? Object.entries(named) : [];
  if (parent === undefined || entries.length === 0) return refused({ code: 'no-servers' });
  if (entries.length > MAX_SERVERS)
    return refused({ code: 'too-many', count: entries.length, max: MAX_SERVERS });
  const repeated = repeatedNames(json, parent);
  return {
    ok: true,
    servers: entries.map(([source, value]) => importedServer(source, value, repeated.has(source))),
  };
};

/**
 * Reads the servers of a settings file of an MCP client: the JSON object `mcpServers` or `servers`, with comments and trailing commas.
 * Reads at most {@link MAX_IMPORT_CHARS} characters and never throws.
 */
export const parseImport = (text: string): ParsedImport => {
  if (text.length > MAX_IMPORT_CHARS) return refused({ code: 'too-large', max: MAX_IMPORT_CHARS });
  const json = strictJson(text);
  try {
    return serversIn(json, JSON.parse(json));
  } catch (error) {
    const place = placeOf(error);
    return refused({ code: 'not-json', ...(place !== undefined && { place }) });
  }
};
