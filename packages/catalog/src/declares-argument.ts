import { isJsonObject, type JsonObject } from '@gateway/call-contract';

/** Maximum number of sub-schemas that are visited. */
const MAX_SCHEMAS = 1_000;

/** The keywords whose sub-schemas describe the same object as the schema that carries them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

/** Returns an own value of a JSON object; inherited properties are not keys. */
const own = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Follows a `$ref` inside the same document; any other reference leads nowhere. RFC 6901 §4. */
function referenced(root: JsonObject, ref: unknown): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/', MAX_SCHEMAS)) {
    if (!isJsonObject(at)) return undefined;
    at = own(at, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return at;
}

function mentions(schema: JsonObject, name: string): boolean {
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  return (
    (isJsonObject(properties) && Object.hasOwn(properties, name)) ||
    (Array.isArray(required) && required.includes(name))
  );
}

/**
 * Returns whether an input schema declares an argument of this name, as a property or as required: in the schema itself, in its
 * subschemas (`allOf`, `anyOf`, `oneOf`, `if`/`then`/`else`) or in definitions that it references in its own document.
 */
export function declaresArgument(schema: JsonObject, name: string): boolean {
  const seen = new Set<unknown>([schema]);
  for (const one of seen) {
    if (!isJsonObject(one)) continue;
    if (mentions(one, name)) return true;
    for (const keyword of IN_PLACE) [own(one, keyword)].flat().forEach((sub) => seen.add(sub));
    seen.add(referenced(schema, own(one, '$ref')));
    if (seen.size > MAX_SCHEMAS) return false;
  }
  return false;
}
