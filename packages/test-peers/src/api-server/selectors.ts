import type { ApiObject } from './api-object.ts';

const at = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

const pairsOf = (selector: string): readonly (readonly [string, string])[] =>
  selector.split(',').map((part) => {
    const [key = '', value = ''] = part.split('=');
    return [key, value];
  });

/** Returns true when an object has these labels and these fields (`key=value`, joined by commas). */
export const isSelected = (object: ApiObject, query: URLSearchParams): boolean => {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  return (
    (labels === null ||
      pairsOf(labels).every(([key, value]) => object.metadata.labels?.[key] === value)) &&
    (fields === null || pairsOf(fields).every(([path, value]) => at(object, path) === value))
  );
};
