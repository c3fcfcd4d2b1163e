import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import {
  computeCommonHints,
  type CatalogTool,
  readToolHints,
  formatToolSummary,
  formatExposedName,
} from './catalog-tool.ts';
import { type CatalogWarning, checkExposedNames } from './catalog-warning.ts';
import { hasSameItems, isSameJson, compareCodeUnits, groupBy } from './comparisons.ts';
import type { ServerInventory, ServerTool } from './snapshot.ts';

/** Maximum number of sub-schemas that are visited. */
const MAX_SCHEMAS = 1_000;

/** The keywords whose sub-schemas describe the same object as the schema that carries them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Returns an own value of a JSON object; inherited properties are not keys. */
const readOwnValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Follows a `$ref` inside the same document; any other reference leads nowhere. RFC 6901 §4. */
export function followReference(root: JsonObject, ref: unknown): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/', MAX_SCHEMAS)) {
    if (!isJsonObject(at)) return undefined;
    at = readOwnValue(at, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return at;
}

function hasProperty(schema: JsonObject, name: string): boolean {
  const properties = readOwnValue(schema, 'properties');
  const required = readOwnValue(schema, 'required');
  return (
    (isJsonObject(properties) && Object.hasOwn(properties, name)) ||
    (Array.isArray(required) && required.includes(name))
  );
}

/**
 * Returns whether an input schema declares an argument of this name, as a property or as required: in the schema itself, in its
 * subschemas (`allOf`, `anyOf`, `oneOf`, `if`/`then`/`else`) or in definitions that it references in its own document.
 */
function hasArgument(schema: JsonObject, name: string): boolean {
  const seen = new Set<unknown>([schema]);
  for (const one of seen) {
    if (!isJsonObject(one)) continue;
    if (hasProperty(one, name)) return true;
    for (const keyword of IN_PLACE)
      [readOwnValue(one, keyword)].flat().forEach((sub) => seen.add(sub));
    seen.add(followReference(schema, readOwnValue(one, '$ref')));
    if (seen.size > MAX_SCHEMAS) return false;
  }
  return false;
}

/**
 * A schema -> one that it was found equal to. Members of a family list equal schemas in objects of their own, and most of
 * them are the same objects at the next build: what was compared once is not compared again.
 */
const equals = new WeakMap<JsonObject, JsonObject>();

const resolveSchema = (schema: JsonObject): JsonObject => equals.get(schema) ?? schema;

/** Returns whether two input schemas are equal, regardless of key order. Schemas must not be modified between calls. */
function isSameSchema(a: JsonObject, b: JsonObject): boolean {
  const [first, second] = [resolveSchema(a), resolveSchema(b)];
  if (first === second) return true;
  if (!isSameJson(first, second)) return false;
  equals.set(b, first);
  return true;
}

/** A tool of a family with everyone who provides it, by server name. */
export interface FamilyToolSource {
  readonly family: string;
  readonly instanceArg: string;
  readonly tool: string;
  readonly contributors: readonly Contributor[];
}

/** A member that provides the tool, and the tool as it lists it. */
export interface Contributor {
  readonly server: string;
  readonly tool: ServerTool;
}

/** A family tool before it has a place in the catalog, or why its members' tools are served per server. */
export type FamilyToolOutcome =
  | { readonly ok: true; readonly tool: CatalogTool }
  | { readonly ok: false; readonly warning: CatalogWarning };

type Divergence =
  'family.description-divergence' | 'family.schema-divergence' | 'family.instance-arg-collision';

const readDescription = (tool: ServerTool): string => tool.description ?? '';

function findDivergence(
  { instanceArg, contributors }: FamilyToolSource,
  first: ServerTool,
): Divergence | undefined {
  if (contributors.some(({ tool }) => readDescription(tool) !== readDescription(first))) {
    return 'family.description-divergence';
  }
  if (contributors.some(({ tool }) => !isSameSchema(first.inputSchema, tool.inputSchema))) {
    return 'family.schema-divergence';
  }
  // Equal schemas have the same collisions, so the first schema is checked.
  return hasArgument(first.inputSchema, instanceArg) ? 'family.instance-arg-collision' : undefined;
}

/** The schema with the required instance argument; everything else in it is shared with the original. */
function withInstanceArg(
  schema: JsonObject,
  instanceArg: string,
  servers: readonly string[],
): JsonObject {
  const properties = Object.hasOwn(schema, 'properties') ? schema['properties'] : undefined;
  const required: unknown = Object.hasOwn(schema, 'required') ? schema['required'] : undefined;
  return {
    ...schema,
    properties: {
      ...(isJsonObject(properties) ? properties : {}),
      [instanceArg]: {
        type: 'string',
        description: `Target instance to execute this tool on. Available: ${servers.join(', ')}`,
        enum: servers,
      },
    },
    required: [...(Array.isArray(required) ? (required as unknown[]) : []), instanceArg],
  };
}

/** Returns the value that is equal for all contributors, or `undefined` when they differ. */
function findCommonValue<T>(
  contributors: readonly Contributor[],
  valueOf: (tool: ServerTool) => T,
): T | undefined {
  const [first, ...others] = contributors.map(({ tool }) => valueOf(tool));
  return others.every((value) => isSameJson(value, first)) ? first : undefined;
}

/** The fields of a listing that a family tool has of its own. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
]);

/** Returns the listed fields that are equal for all contributors, without those of the family; `undefined` without a listing. */
function findCommonFields(contributors: readonly Contributor[]): JsonObject | undefined {
  const [first, ...others] = contributors.map(({ tool }) => tool.listed);
  if (first === undefined) return undefined;
  const alike = ([key, value]: readonly [string, unknown]): boolean =>
    !OWN_FIELDS.has(key) &&
    others.every(
      (other) => other !== undefined && Object.hasOwn(other, key) && isSameJson(other[key], value),
    );
  return Object.fromEntries(Object.entries(first).filter(alike));
}

function mergeTools(source: FamilyToolSource, first: ServerTool): CatalogTool {
  const { family, instanceArg, tool, contributors } = source;
  const servers = contributors.map(({ server }) => server);
  const description =
    `${readDescription(first)} (available on servers: ${servers.join(', ')})`.trim();
  const title = findCommonValue(contributors, (one) => one.title);
  const outputSchema = findCommonValue(contributors, (one) => one.outputSchema);
  const annotations = computeCommonHints(
    contributors.map((one) => readToolHints(one.tool.annotations)),
  );
  const alike = findCommonFields(contributors);
  const changed = new Set(contributors.flatMap((one) => one.tool.changed ?? []));
  const shown = {
    ...(title !== undefined && { title }),
    description,
    inputSchema: withInstanceArg(first.inputSchema, instanceArg, servers),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
  return {
    name: formatExposedName(family, tool),
    kind: 'tool',
    position: -1,
    server: family,
    ...shown,
    summary: formatToolSummary(description),
    providers: servers.map((server) => ({ server, serverTool: tool })),
    instanceArg,
    ...(changed.size > 0 && { changed: [...changed] }),
    ...(alike !== undefined && { listed: { ...alike, ...shown } }),
  };
}

/**
 * Builds one tool of a family's surface. When its contributors describe it differently, give it different input
 * schemas, or already have an argument of the instance argument's name, it is no family tool.
 *
 * @spec §2.6
 */
function createFamilyTool(source: FamilyToolSource): FamilyToolOutcome {
  const { family, instanceArg, tool, contributors } = source;
  const first = contributors[0];
  if (first === undefined) throw new TypeError(`no server provides the family tool "${tool}"`);
  const code = findDivergence(source, first.tool);
  if (code === undefined) return { ok: true, tool: mergeTools(source, first.tool) };
  const servers = contributors.map(({ server }) => server);
  return { ok: false, warning: { code, family, tool, instanceArg, servers } };
}

/** The shared tools of a family and the tools that each member serves on its own. @spec §2.6 */
export interface FamilySurface {
  readonly members: readonly FamilyMember[];
  /** The family's own tools by tool name, before they have a place in the catalog. */
  readonly tools: readonly CatalogTool[];
  /** The members' tool names that `tools` covers. */
  readonly grouped: ReadonlySet<string>;
  readonly warnings: readonly CatalogWarning[];
}

export type FamilyMember = ServerInventory & {
  readonly family: NonNullable<ServerInventory['family']>;
};

/** The members' tools by name, each with its contributors in the members' order; a name listed twice counts once. */
function groupContributors(
  members: readonly FamilyMember[],
): ReadonlyMap<string, readonly Contributor[]> {
  const byTool = new Map<string, Contributor[]>();
  for (const member of members) {
    for (const tool of member.tools) {
      const contributors = byTool.get(tool.name);
      if (contributors === undefined) byTool.set(tool.name, [{ server: member.name, tool }]);
      else if (contributors.at(-1)?.server !== member.name) {
        contributors.push({ server: member.name, tool });
      }
    }
  }
  return byTool;
}

function createDivergentSurface(
  family: string,
  members: readonly FamilyMember[],
  instanceArgs: readonly string[],
): FamilySurface {
  const servers = members.map(({ name }) => name);
  return {
    members,
    tools: [],
    grouped: new Set(),
    warnings: [{ code: 'family.instance-arg-divergence', family, instanceArgs, servers }],
  };
}

/**
 * Builds the surface of one family. Members that disagree on `instanceArg` share nothing, even when no tool is common.
 *
 * @param members every connected member, sorted by name, at least one
 * @spec §2.6
 */
function createFamilySurface(family: string, members: readonly FamilyMember[]): FamilySurface {
  const instanceArgs = [...new Set(members.map((member) => member.family.instanceArg))].sort(
    compareCodeUnits,
  );
  const [instanceArg, ...others] = instanceArgs;
  if (instanceArg === undefined || others.length > 0) {
    return createDivergentSurface(family, members, instanceArgs);
  }
  const tools: CatalogTool[] = [];
  const grouped = new Set<string>();
  const warnings: CatalogWarning[] = [];
  const byTool = groupContributors(members);
  for (const tool of [...byTool.keys()].sort(compareCodeUnits)) {
    const contributors = byTool.get(tool) ?? [];
    const outcome = createFamilyTool({ family, instanceArg, tool, contributors });
    if (outcome.ok) {
      tools.push(outcome.tool);
      grouped.add(tool);
    } else warnings.push(outcome.warning);
  }
  const named = checkExposedNames(tools);
  return {
    members,
    tools: named.tools,
    grouped,
    warnings: [...warnings, ...named.warnings],
  };
}

/** The last surface of each family, by its first member: one process builds it for the names and for the catalog. */
const lastSurfaces = new WeakMap<FamilyMember, FamilySurface>();

function resolveSurface(
  family: string,
  members: readonly FamilyMember[],
  previous: FamilySurface | undefined,
): FamilySurface {
  if (previous !== undefined && hasSameItems(previous.members, members)) return previous;
  const [first] = members;
  const last = first && lastSurfaces.get(first);
  if (last !== undefined && hasSameItems(last.members, members)) return last;
  const surface = createFamilySurface(family, members);
  if (first !== undefined) lastSurfaces.set(first, surface);
  return surface;
}

const isMember = (server: ServerInventory): server is FamilyMember => server.family !== undefined;

/**
 * Returns the surface of every family, sorted by family name. A surface whose members are identical objects is reused.
 *
 * @param servers sorted by name
 * @param previous the surfaces of the previous build, by family name
 */
export function createFamilySurfaces(
  servers: readonly ServerInventory[],
  previous: ReadonlyMap<string, FamilySurface> | undefined,
): ReadonlyMap<string, FamilySurface> {
  const membersOf = groupBy(servers.filter(isMember), ({ family }) => [family.name]);
  const surfaces = new Map<string, FamilySurface>();
  for (const family of [...membersOf.keys()].sort(compareCodeUnits)) {
    const members = membersOf.get(family) ?? [];
    surfaces.set(family, resolveSurface(family, members, previous?.get(family)));
  }
  return surfaces;
}
