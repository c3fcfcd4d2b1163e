import { encodeHeader } from './protocol.ts';
import { isObject } from './raw-json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A property of a tool's input whose value the protocol mirrors into an HTTP header. */
export interface MirroredParam {
  readonly path: readonly string[];
  readonly header: string;
}

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** The types of the arguments that may be mirrored. MCP 2026-07-28, Streamable HTTP */
export const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const MAX_DEPTH = 16;

/** Returns the `x-mcp-header` declarations under `properties`, at any depth. MCP 2026-07-28, Streamable HTTP. */
export const listMirroredParams = (
  schema: JsonObject,
  types = MIRRORED_TYPES,
  path: readonly string[] = [],
): readonly MirroredParam[] => {
  const properties = schema['properties'];
  if (!isObject(properties) || path.length >= MAX_DEPTH) return [];
  return Object.entries(properties).flatMap(([name, child]) => {
    if (!isObject(child)) return [];
    const at = [...path, name];
    const header = child[ANNOTATION];
    const declared =
      typeof header === 'string' && TOKEN.test(header) && types.has(child['type'])
        ? [{ path: at, header }]
        : [];
    return [...declared, ...listMirroredParams(child, types, at)];
  });
};

const formatHeader = (value: unknown): string | undefined => {
  if (typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value))
    return undefined;
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number')
    return undefined;
  return encodeHeader(String(value));
};

/** Returns the value at a path of member names; `undefined` when it is absent. */
export const findArgument = (root: unknown, path: readonly string[]): unknown => {
  let node = root;
  for (const key of path) {
    if (!isObject(node) || !Object.hasOwn(node, key)) return undefined;
    node = node[key];
  }
  return node;
};

/** Returns the `Mcp-Param-*` headers of one call. Absent and non-primitive arguments have none. */
export const createParamHeaders = (
  params: readonly MirroredParam[],
  args: unknown,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    params.flatMap(({ path, header }) => {
      const value = formatHeader(findArgument(args, path));
      return value === undefined ? [] : [[`Mcp-Param-${header}`, value] as const];
    }),
  );

/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const MAX_SCHEMA_DEPTH = 64;

/** A subschema, and whether property names alone lead to it. */
interface Place {
  readonly schema: JsonObject;
  readonly mirrored: boolean;
  readonly depth: number;
}

function* listSubschemas({ schema, mirrored, depth }: Place): Iterable<Place> {
  if (depth >= MAX_SCHEMA_DEPTH) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) continue;
    const children = NAMED.has(keyword) && isObject(value) ? Object.values(value) : [value].flat();
    for (const child of children)
      if (isObject(child))
        yield {
          schema: child,
          mirrored: mirrored && keyword === 'properties',
          depth: depth + 1,
        };
  }
}

const findProblem = (place: Place, names: Set<string>): string | undefined => {
  const { schema, mirrored, depth } = place;
  if (!Object.hasOwn(schema, ANNOTATION)) return undefined;
  const header = schema[ANNOTATION];
  if (!mirrored || depth === 0) return 'stands where no argument is';
  if (typeof header !== 'string' || !TOKEN.test(header)) return 'is no name of an HTTP header';
  if (!MIRRORED_TYPES.has(schema['type'])) return 'stands at an argument of another type';
  const name = header.toLowerCase();
  if (names.has(name)) return 'is used twice';
  names.add(name);
  return undefined;
};

/** Returns the problem of the `x-mcp-header` annotations of a tool's input: a client over HTTP must not offer the tool. MCP 2026-07-28, Streamable HTTP */
export const validateHeaderAnnotations = (inputSchema: JsonObject): string | undefined => {
  const names = new Set<string>();
  const places: Place[] = [{ schema: inputSchema, mirrored: true, depth: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const problem = findProblem(place, names);
    if (problem !== undefined) return `${ANNOTATION} ${problem}`;
    places.push(...listSubschemas(place));
  }
  return undefined;
};
