import { isDeepStrictEqual } from 'node:util';
import { UNKNOWN_FIELD, type ValidationIssue } from '@gateway/crd-schemas';
import { isMapping, type Mapping } from '@gateway/files';

type Path = ValidationIssue['path'];

/** Returns a document without the value at a path. */
const withoutPath = (value: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item, index) =>
      index === key ? withoutPath(item, rest) : item,
    );
  if (!isMapping(value) || !Object.hasOwn(value, key)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== String(key)) return [[name, item]];
      return rest.length === 0 ? [] : [[name, withoutPath(item, rest)]];
    }),
  );
};

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((parent, key) => {
    if (Array.isArray(parent)) return (parent as readonly unknown[])[Number(key)];
    return isMapping(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  }, value);

/** The maximum number of times that unknown fields are removed from a document; each time finds at least one more. */
const MAX_REMOVALS = 8;

type Parsed =
  { readonly ok: true } | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** The result of a parser for a document without its unknown fields. */
export interface Tolerated<P extends Parsed> {
  readonly parsed: P;
  /** The fields that are ignored. */
  readonly ignored: readonly ValidationIssue[];
}

/**
 * Parses a document without its unknown fields: the API server has removed misspelled fields, so that an unknown field belongs to a newer
 * CustomResourceDefinition.
 */
export const parseTolerantly = <P extends Parsed>(
  document: unknown,
  parse: (document: unknown) => P,
): Tolerated<P> => {
  const ignored: ValidationIssue[] = [];
  let rest = document;
  for (let round = 0; ; round += 1) {
    const parsed = parse(rest);
    const unknown = parsed.ok
      ? []
      : parsed.issues.filter(({ message }) => message === UNKNOWN_FIELD);
    if (unknown.length === 0 || round === MAX_REMOVALS) return { parsed, ignored };
    ignored.push(...unknown);
    for (const { path } of unknown) rest = withoutPath(rest, path);
  }
};

/** Returns a changed document without those fields that it had before with the same values. */
export const withoutFields = (
  { before, after }: { readonly before: Mapping | undefined; readonly after: Mapping },
  fields: readonly ValidationIssue[],
): unknown =>
  fields
    .filter(({ path }) => isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
    .reduce<unknown>((rest, { path }) => withoutPath(rest, path), after);
