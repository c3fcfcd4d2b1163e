import type { ValueNode } from '@humanwhocodes/momoa';
import { parse, TomlError } from 'smol-toml';
import { isJsonObject, type ConfigObject, readOwnField } from './json.ts';
import { formatLineColumn, findMembers, parseJson, withoutMark } from './json-text.ts';
import type { ImportRefusal, ServerNote, ServerProblem } from './servers/import-problem.ts';
import { readServer } from './servers/read-server.ts';

interface ServerGroup {
  readonly path: readonly string[];
  readonly servers: ConfigObject;
  /** The directory of the project to which they belong; absent for those of the user. */
  readonly project?: string;
}

const PARENTS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp_servers'],
  ['context_servers'],
  // The settings of VS Code before it had mcp.json.
  ['mcp', 'servers'],
];

const groupAt = (
  document: unknown,
  path: readonly string[],
  project?: string,
): readonly ServerGroup[] => {
  const servers = path.reduce(readOwnField, document);
  return isJsonObject(servers) && Object.keys(servers).length > 0
    ? [{ path, servers, ...(project !== undefined && { project }) }]
    : [];
};

/** Returns the servers of a document: those of the user, then those that Claude Code keeps by project. */
const listServerGroups = (document: unknown): readonly ServerGroup[] => {
  const projects = readOwnField(document, 'projects');
  return [
    ...PARENTS.flatMap((path) => groupAt(document, path)),
    ...Object.keys(isJsonObject(projects) ? projects : {}).flatMap((project) =>
      groupAt(document, ['projects', project, 'mcpServers'], project),
    ),
  ];
};

/** A parsed text. `tree` is absent for TOML. */
type ReadDocument =
  | { readonly ok: true; readonly document: unknown; readonly tree?: ValueNode }
  | { readonly ok: false; readonly refusal: ImportRefusal };

/** A line that only a TOML file of Codex has. */
const CODEX_LINE = /^[ \t]*(?:\[[ \t]*)?(?:mcp_servers|"mcp_servers")[ \t]*[.=\]]/mu;

/** The most characters of a TOML text: its parser takes far more time per character than that of JSON. */
const MAX_TOML_CHARS = 1_000_000;

const refuseDocument = (format: 'JSON' | 'TOML', place: string | undefined): ReadDocument => {
  return {
    ok: false,
    refusal: { code: 'not-readable', format, ...(place !== undefined && { place }) },
  };
};

/** Parses a configuration: JSON with comments and trailing commas, or TOML of Codex. */
const readDocument = (file: string): ReadDocument => {
  const text = withoutMark(file);
  if (!CODEX_LINE.test(text)) {
    const json = parseJson(text);
    return json.ok
      ? { ok: true, document: json.value, tree: json.tree }
      : refuseDocument('JSON', json.place);
  }
  if (file.length > MAX_TOML_CHARS)
    return { ok: false, refusal: { code: 'too-large', max: MAX_TOML_CHARS } };
  try {
    return { ok: true, document: parse(text) };
  } catch (error) {
    const isPlaced = error instanceof TomlError;
    return refuseDocument(
      'TOML',
      isPlaced ? formatLineColumn(error.line, error.column) : undefined,
    );
  }
};

export interface ImportedServer {
  /** The name in the text; with the directory of its project where another server of the text has it too. Unique. */
  readonly source: string;
  /** The proposed name of the `MCPServer`; an empty text when the source has no letter and no digit. */
  readonly name: string;
  /** The arguments of `core_mcpserver_create`, except the name. */
  readonly definition: ConfigObject;
  readonly problems: readonly ServerProblem[];
  readonly notes: readonly ServerNote[];
  /** The directory of the project to which Claude Code limits it. */
  readonly project?: string;
}

type ParsedImport =
  | { readonly ok: true; readonly servers: readonly ImportedServer[] }
  | { readonly ok: false; readonly refusal: ImportRefusal };

interface ImportOptions {
  readonly maxChars?: number;
  /** The directories of the projects whose servers are read; all when absent. */
  readonly projects?: readonly string[];
}

const MAX_NAME_CHARS = 63;

/** Returns a name that an `MCPServer` can have, as similar to a text as possible; an empty text for one without letters and digits. */
export const toResourceName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_CHARS)
    .replaceAll(/^-|-$/g, '');

export const MAX_IMPORT_CHARS = 1_000_000;

const MAX_SERVERS = 200;

const refuseText = (refusal: ImportRefusal): ParsedImport => ({ ok: false, refusal });

const importServer = (
  key: string,
  value: unknown,
  { isRepeated, source, project }: { isRepeated: boolean; source: string; project?: string },
): ImportedServer => {
  const name = toResourceName(key);
  const { definition, problems, notes } = readServer(value);
  return {
    source,
    name,
    definition,
    problems: isRepeated ? [{ code: 'repeated-name' }, ...problems] : problems,
    notes: name === key ? notes : [{ code: 'renamed', from: key }, ...notes],
    ...(project !== undefined && { project }),
  };
};

/** Returns a text that none of the others is. */
const createUniqueSource = (key: string, place: string, taken: ReadonlySet<string>): string => {
  let source = key;
  for (let count = 1; taken.has(source); count += 1)
    source = count === 1 ? `${key} (${place})` : `${key} (${place}, ${String(count)})`;
  return source;
};

/** Returns whether the text repeats a key of the object at a path. Evaluated values contain the last member of each key. */
const isRepeated = (tree: ValueNode | undefined, path: readonly string[], key: string): boolean => {
  let node = tree;
  for (const step of path) node = node && findMembers(node, step).at(-1)?.value;
  return node !== undefined && findMembers(node, key).length > 1;
};

const importServers = (
  groups: readonly ServerGroup[],
  tree: ValueNode | undefined,
): readonly ImportedServer[] => {
  const taken = new Set<string>();
  return groups.flatMap(({ path, servers, project }) =>
    Object.entries(servers).map(([key, value]) => {
      const source = createUniqueSource(key, project ?? path.join('.'), taken);
      taken.add(source);
      return importServer(key, value, {
        isRepeated: isRepeated(tree, path, key),
        source,
        ...(project !== undefined && { project }),
      });
    }),
  );
};

const parseServers = (text: string, projects: ImportOptions['projects']): ParsedImport => {
  const read = readDocument(text);
  if (!read.ok) return read;
  const groups = listServerGroups(read.document).filter(
    ({ project }) => project === undefined || projects === undefined || projects.includes(project),
  );
  const count = groups.reduce((sum, { servers }) => sum + Object.keys(servers).length, 0);
  if (count === 0) return refuseText({ code: 'no-servers' });
  if (count > MAX_SERVERS) return refuseText({ code: 'too-many', count, max: MAX_SERVERS });
  return { ok: true, servers: importServers(groups, read.tree) };
};

/**
 * Reads the servers of a configuration file of an MCP client: `mcpServers`, `servers` or `context_servers` of a JSON object with comments and
 * trailing commas, those that Claude Code keeps by project, and `mcp_servers` of a TOML file. Never throws.
 */
export const parseImport = (
  text: string,
  { maxChars = MAX_IMPORT_CHARS, projects }: ImportOptions = {},
): ParsedImport => {
  if (text.length > maxChars) return refuseText({ code: 'too-large', max: maxChars });
  try {
    return parseServers(text, projects);
  } catch (error) {
    // One of its strings is too long for a regular expression.
    if (error instanceof RangeError) return refuseText({ code: 'not-readable', format: 'JSON' });
    throw error;
  }
};
