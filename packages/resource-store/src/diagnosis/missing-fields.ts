import { fieldsOf } from '@gateway/kube-client';

/** Schemas of this program are at most this deep. */
const MAX_DEPTH = 32;

const childrenOf = (schema: unknown): ReadonlyMap<string, unknown> => {
  const { properties, items, additionalProperties } = fieldsOf(schema);
  return new Map([
    ...Object.entries(fieldsOf(properties)),
    ...(items === undefined ? [] : [['[]', items] as const]),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
  ]);
};

const joined = (path: string, name: string): string => {
  if (name === '[]') return `${path}[]`;
  return path === '' ? name : `${path}.${name}`;
};

/**
 * Returns the paths of the fields of an OpenAPI schema that another one does not have, such as `spec.steps[].tool`. A missing field is named
 * without the fields in it.
 */
export const missingFields = (
  expected: unknown,
  served: unknown,
  { path = '', depth = 0 }: { readonly path?: string; readonly depth?: number } = {},
): readonly string[] => {
  if (depth > MAX_DEPTH) return [];
  // Objects of any shape have every field.
  if (fieldsOf(served)['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const known = childrenOf(served);
  return [...childrenOf(expected)].flatMap(([name, child]) => {
    const place = joined(path, name);
    const other = known.get(name);
    if (other === undefined) return [place];
    return missingFields(child, other, { path: place, depth: depth + 1 });
  });
};
