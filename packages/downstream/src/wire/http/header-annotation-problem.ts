import { isJsonObject, type JsonObject } from '@gateway/call-contract';

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** Keywords that map names to schemas. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const MAX_DEPTH = 64;

/** A subschema, and whether property names alone lead to it. */
interface Place {
  readonly schema: JsonObject;
  readonly mirrored: boolean;
  readonly depth: number;
}

function* schemasBelow({ schema, mirrored, depth }: Place): Iterable<Place> {
  if (depth >= MAX_DEPTH) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) continue;
    const children =
      NAMED.has(keyword) && isJsonObject(value) ? Object.values(value) : [value].flat();
    for (const child of children)
      if (isJsonObject(child))
        yield {
          schema: child,
          mirrored: mirrored && keyword === 'properties',
          depth: depth + 1,
        };
  }
}

const problemAt = (place: Place, names: Set<string>): string | undefined => {
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

/**
 * Returns the problem of the `x-mcp-header` annotations of a tool's input; `undefined` when they are valid. A client that uses HTTP must
 * not offer a tool with an invalid annotation. MCP 2026-07-28, Streamable HTTP.
 */
export const headerAnnotationProblem = (inputSchema: JsonObject): string | undefined => {
  const names = new Set<string>();
  const places: Place[] = [{ schema: inputSchema, mirrored: true, depth: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const problem = problemAt(place, names);
    if (problem !== undefined) return `${ANNOTATION} ${problem}`;
    places.push(...schemasBelow(place));
  }
  return undefined;
};
