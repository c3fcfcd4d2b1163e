import type { ValueSchema } from '../../src/chart-schema.ts';

/** A value by its keys: `['image', 'tag']`. */
export type ValuePath = readonly string[];

const COMMENT = /\{\{-?\s*\/\*.*?\*\/\s*-?\}\}/gsu;
const READ = /\.Values((?:\)*\.[A-Za-z]\w*)*)/gu;
/** Functions that read all of what they are given. */
const WHOLE = /\b(toYaml|toJson|toRawJson|merge|mergeOverwrite|deepCopy|omit|pick|tpl|include)\b/u;

/** A value that a template uses; `isWhole` when all values below it are used too. */
export interface ValueRead {
  readonly path: ValuePath;
  readonly isWhole: boolean;
}

/** Template text without its comments. */
const withoutComments = (text: string): string => text.replaceAll(COMMENT, '');

/** Every `.Values.x.y` and `(.Values.x).y` of a template, in order. */
export const valueReads = (text: string): readonly ValueRead[] =>
  withoutComments(text)
    .split('\n')
    .flatMap((line) =>
      [...line.matchAll(READ)].map(([, keys = '']) => ({
        path: keys.split(/\)*\./u).filter((key) => key !== ''),
        isWhole: WHOLE.test(line),
      })),
    );

const isOpen = ({ additionalProperties: further, items, type }: ValueSchema): boolean =>
  further !== false || items !== undefined || type === undefined;

/** Returns whether a schema has a value; maps, lists and open structures contain any value. */
export const hasValue = (schema: ValueSchema, path: ValuePath): boolean => {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  const inner = schema.properties?.[key];
  return inner === undefined
    ? schema.properties === undefined && isOpen(schema)
    : hasValue(inner, rest);
};

/** Every value that has no known values below it. */
const leafPaths = (schema: ValueSchema): readonly ValuePath[] => {
  const inner = Object.entries(schema.properties ?? {});
  return inner.length === 0
    ? [[]]
    : inner.flatMap(([key, value]) => leafPaths(value).map((path) => [key, ...path]));
};

const startsWith = (path: ValuePath, start: ValuePath): boolean =>
  start.every((key, at) => path[at] === key);

const names = (text: string, key: string): boolean =>
  text.includes(`"${key}"`) || new RegExp(`\\.${key}\\b`, 'u').test(text);

/** Returns whether a line uses all values below a key: `toYaml $image.resources`. */
const readsWhole = (text: string, key: string): boolean => {
  const end = new RegExp(`\\.${key}(?![\\w.])`, 'u');
  return text.split('\n').some((line) => WHOLE.test(line) && end.test(line));
};

/** Returns whether the keys are named individually, up to a key that is used as a whole. */
const readsTo = (text: string, [key, ...rest]: ValuePath): boolean => {
  if (key === undefined) return true;
  return names(text, key) && (readsTo(text, rest) || readsWhole(text, key));
};

/**
 * The leaves of a schema that no template reads. A leaf is read when it is named, when something inside it is, when a
 * group around it is read whole, or when such a group is read at all and the rest of the leaf's keys stand somewhere as
 * `.key` or `"key"`, as they do behind `with` and variables.
 */
export const unreadLeaves = (schema: ValueSchema, template: string): readonly string[] => {
  const text = withoutComments(template);
  const reads = valueReads(template);
  const isRead = (leaf: ValuePath): boolean =>
    reads.some(({ path, isWhole }) => {
      if (startsWith(path, leaf)) return true;
      if (!startsWith(leaf, path)) return false;
      return (isWhole && path.length > 0) || readsTo(text, leaf.slice(path.length));
    });
  return leafPaths(schema)
    .filter((leaf) => !isRead(leaf))
    .map((leaf) => leaf.join('.'));
};
