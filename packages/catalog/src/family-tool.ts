import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import type { CatalogTool } from './catalog-tool.ts';
import type { CatalogWarning } from './catalog-warning.ts';
import { declaresArgument } from './declares-argument.ts';
import { exposedName } from './exposed-name.ts';
import { agreedHints, hintsOf } from './hints.ts';
import { sameJson } from './same-json.ts';
import { sameSchema } from './same-schema.ts';
import type { ServerTool } from './server-inventory.ts';
import { summaryOf } from './tool-summary.ts';

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

const describedAs = (tool: ServerTool): string => tool.description ?? '';

function divergenceOf(
  { instanceArg, contributors }: FamilyToolSource,
  first: ServerTool,
): Divergence | undefined {
  if (contributors.some(({ tool }) => describedAs(tool) !== describedAs(first))) {
    return 'family.description-divergence';
  }
  if (contributors.some(({ tool }) => !sameSchema(first.inputSchema, tool.inputSchema))) {
    return 'family.schema-divergence';
  }
  // Equal schemas have the same collisions, so the first schema is checked.
  return declaresArgument(first.inputSchema, instanceArg)
    ? 'family.instance-arg-collision'
    : undefined;
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
function agreed<T>(
  contributors: readonly Contributor[],
  valueOf: (tool: ServerTool) => T,
): T | undefined {
  const [first, ...others] = contributors.map(({ tool }) => valueOf(tool));
  return others.every((value) => sameJson(value, first)) ? first : undefined;
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
function listedAlike(contributors: readonly Contributor[]): JsonObject | undefined {
  const [first, ...others] = contributors.map(({ tool }) => tool.listed);
  if (first === undefined) return undefined;
  const alike = ([key, value]: readonly [string, unknown]): boolean =>
    !OWN_FIELDS.has(key) &&
    others.every(
      (other) => other !== undefined && Object.hasOwn(other, key) && sameJson(other[key], value),
    );
  return Object.fromEntries(Object.entries(first).filter(alike));
}

function groupedTool(source: FamilyToolSource, first: ServerTool): CatalogTool {
  const { family, instanceArg, tool, contributors } = source;
  const servers = contributors.map(({ server }) => server);
  const description = `${describedAs(first)} (available on servers: ${servers.join(', ')})`.trim();
  const title = agreed(contributors, (one) => one.title);
  const outputSchema = agreed(contributors, (one) => one.outputSchema);
  const annotations = agreedHints(contributors.map((one) => hintsOf(one.tool.annotations)));
  const alike = listedAlike(contributors);
  const shown = {
    ...(title !== undefined && { title }),
    description,
    inputSchema: withInstanceArg(first.inputSchema, instanceArg, servers),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
  return {
    name: exposedName(family, tool),
    kind: 'tool',
    position: -1,
    server: family,
    ...shown,
    summary: summaryOf(description),
    providers: servers.map((server) => ({ server, serverTool: tool })),
    instanceArg,
    ...(alike !== undefined && { listed: { ...alike, ...shown } }),
  };
}

/**
 * Builds one tool of a family's surface. When its contributors describe it differently, give it different input
 * schemas, or already have an argument of the instance argument's name, it is no family tool.
 *
 * @spec §2.6
 */
export function familyTool(source: FamilyToolSource): FamilyToolOutcome {
  const { family, instanceArg, tool, contributors } = source;
  const first = contributors[0];
  if (first === undefined) throw new TypeError(`no server provides the family tool "${tool}"`);
  const code = divergenceOf(source, first.tool);
  if (code === undefined) return { ok: true, tool: groupedTool(source, first.tool) };
  const servers = contributors.map(({ server }) => server);
  return { ok: false, warning: { code, family, tool, instanceArg, servers } };
}
