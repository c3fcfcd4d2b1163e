import { isJsonObject, ownValue, type JsonObject } from '../reading/json-object.ts';

/** Servers that are together in a document. */
export interface ServerGroup {
  /** The keys that lead to them. */
  readonly path: readonly string[];
  readonly servers: JsonObject;
  /** The directory of the project to which they belong; absent for those of the person. */
  readonly project?: string;
}

/** The keys under which clients keep their servers. */
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
  const servers = path.reduce(ownValue, document);
  return isJsonObject(servers) && Object.keys(servers).length > 0
    ? [{ path, servers, ...(project !== undefined && { project }) }]
    : [];
};

/** Returns the servers of a document: those of the person, then those that Claude Code keeps by project. */
export const serverGroups = (document: unknown): readonly ServerGroup[] => {
  const projects = ownValue(document, 'projects');
  return [
    ...PARENTS.flatMap((path) => groupAt(document, path)),
    ...Object.keys(isJsonObject(projects) ? projects : {}).flatMap((project) =>
      groupAt(document, ['projects', project, 'mcpServers'], project),
    ),
  ];
};
