import { satisfies, type SemVer } from 'semver';

/** A condition on a version, such as `>= 1.2`. */
interface Comparator {
  readonly negated: boolean;
  /** In the form that the library reads. */
  readonly range: string;
  /** Prereleases pass only conditions that name one themselves, and those that exclude one version. */
  readonly takesPrereleases: boolean;
}

/** Alternatives; each is a list of conditions that must all be satisfied. */
export type Constraint = readonly (readonly Comparator[])[];

const PART = '(?:\\d+|[xX*])';
const TAIL = '(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?';
const VERSION = `v?${PART}(?:\\.${PART}){0,2}${TAIL}`;
const COMPARATOR = new RegExp(`(=|!=|>=|=>|<=|=<|>|<|~>|~|\\^)?\\s*(${VERSION})(?=[\\s,]|$)`, 'y');
const HYPHEN = new RegExp(`(^|[\\s,])(${VERSION})\\s+-\\s+(${VERSION})(?=[\\s,]|$)`, 'g');
const SEPARATOR = /\s*,?\s*/y;

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=>', '>='],
  ['=<', '<='],
  ['~>', '~'],
  ['!=', '='],
]);

/** The longest constraint, far more than any in use. */
const MAX_CHARS = 1000;

const comparatorOf = (operator: string, version: string): Comparator => {
  const plain = version.replace(/^v/, '').replace(/\+.*$/, '');
  const negated = operator === '!=';
  const isWhole = /^\d+\.\d+\.\d+/.test(plain);
  return {
    negated,
    range: (OPERATORS.get(operator) ?? operator) + (/^[xX*]/.test(plain) ? '*' : plain),
    takesPrereleases: plain.includes('-') || (negated && isWhole),
  };
};

/** Returns all conditions of one alternative; undefined when a part of the text is left over. */
const comparatorsOf = (text: string): readonly Comparator[] | undefined => {
  const plain = text.replace(HYPHEN, '$1>=$2 <=$3').trim();
  const found: Comparator[] = [];
  let at = 0;
  while (at < plain.length) {
    COMPARATOR.lastIndex = at;
    const match = COMPARATOR.exec(plain);
    if (match === null) return undefined;
    found.push(comparatorOf(match[1] ?? '', match[2] ?? ''));
    SEPARATOR.lastIndex = COMPARATOR.lastIndex;
    at = COMPARATOR.lastIndex + (SEPARATOR.exec(plain)?.[0].length ?? 0);
  }
  return found.length === 0 ? undefined : found;
};

/** Reads a constraint: conditions with spaces or commas between them, alternatives with `||`. Nothing when it is none. */
export const readConstraint = (text: string): Constraint | undefined => {
  if (text.length > MAX_CHARS) return undefined;
  const alternatives: (readonly Comparator[])[] = [];
  for (const part of text.split('||')) {
    const comparators = comparatorsOf(part);
    if (comparators === undefined) return undefined;
    alternatives.push(comparators);
  }
  return alternatives;
};

const meets = (version: SemVer, { negated, range, takesPrereleases }: Comparator): boolean => {
  if (version.prerelease.length > 0 && !takesPrereleases) return false;
  return satisfies(version, range, { includePrerelease: true }) !== negated;
};

/** Returns whether a version satisfies a constraint. */
export const meetsConstraint = (version: SemVer, constraint: Constraint): boolean =>
  constraint.some((alternative) => alternative.every((comparator) => meets(version, comparator)));
