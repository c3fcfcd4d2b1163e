import { parse, type SemVer } from 'semver';
import { FunctionFailure } from '../values/template-value.ts';
import {
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  readTextArgument,
  withArguments,
} from './definition.ts';

/** The longest version that the library reads. */
const MAX_VERSION_CHARS = 256;

const LOOSE =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?((?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)$/;

/** Reads a version: a leading `v` and missing minor and patch numbers are forgiven. Nothing when it is none. */
const readVersion = (text: string): SemVer | undefined => {
  if (text.length > MAX_VERSION_CHARS) return undefined;
  const match = LOOSE.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '0', patch = '0', rest = ''] = match;
  const numbers = [major, minor, patch].map((digits) => BigInt(digits).toString()).join('.');
  return parse(numbers + rest) ?? undefined;
};

/** Returns the build metadata of a version as it is written: `a.1`. */
const formatMetadata = (version: SemVer): string => version.build.join('.');

/** Returns the prerelease part of a version: `beta.1`. */
const formatPrerelease = (version: SemVer): string => version.prerelease.join('.');

/** A condition on a version, such as `>= 1.2`. */
interface Condition {
  readonly operator: string;
  /** Parts that are left out or wildcards are 0. */
  readonly wanted: SemVer;
  /** The number of parts before the first that is left out or a wildcard: 2 for `1.2.x`. */
  readonly parts: number;
}

/** Alternatives; each is a list of conditions that must all be satisfied. */
export type Constraint = readonly (readonly Condition[])[];

type Meets = (version: SemVer, condition: Condition) => boolean;

const isNotEqual: Meets = (version, { wanted, parts }) => {
  if (parts === 3 || parts === 0) return version.compare(wanted) !== 0;
  if (version.major !== wanted.major) return true;
  if (parts === 1) return false;
  return version.minor !== wanted.minor || formatPrerelease(version) !== formatPrerelease(wanted);
};

/** `>1.2` begins with 1.3, whatever the prerelease. */
const isGreater: Meets = (version, { wanted, parts }) => {
  if (parts === 3 || version.major !== wanted.major)
    return parts === 3 ? version.compare(wanted) > 0 : version.major > wanted.major;
  if (parts === 0) return version.compare(wanted) > 0;
  return parts === 2 && version.minor > wanted.minor;
};

/** `<=1.2` includes every 1.2. */
const isAtMost: Meets = (version, { wanted, parts }) => {
  if (parts === 3) return version.compare(wanted) <= 0;
  if (version.major !== wanted.major) return version.major < wanted.major;
  return parts === 1 || version.minor <= wanted.minor;
};

const isLess: Meets = (version, { wanted }) => version.compare(wanted) < 0;
const isAtLeast: Meets = (version, { wanted }) => version.compare(wanted) >= 0;

/** `~1.2` permits other patches, `~1` other minors; `~0.0.0` and `~*` permit everything. */
const isTilde: Meets = (version, condition) => {
  const { wanted, parts } = condition;
  if (!isAtLeast(version, condition)) return false;
  const isAny = wanted.major === 0 && wanted.minor === 0 && wanted.patch === 0;
  if (isAny && (parts === 3 || parts === 0)) return true;
  return version.major === wanted.major && (parts === 1 || version.minor === wanted.minor);
};

/** `^1.2.3` permits versions with the same first part that is not 0. */
const isCaret: Meets = (version, condition) => {
  const { wanted, parts } = condition;
  if (!isAtLeast(version, condition) || version.major !== wanted.major) return false;
  if (wanted.major > 0 || parts === 1) return true;
  if (version.minor !== wanted.minor) return false;
  return wanted.minor > 0 || parts === 2 || version.patch === wanted.patch;
};

const isEqual: Meets = (version, condition) =>
  condition.parts === 3 ? version.compare(condition.wanted) === 0 : isTilde(version, condition);

const OPERATORS: ReadonlyMap<string, Meets> = new Map([
  ['', isEqual],
  ['=', isEqual],
  ['!=', isNotEqual],
  ['>', isGreater],
  ['<', isLess],
  ['>=', isAtLeast],
  ['=>', isAtLeast],
  ['<=', isAtMost],
  ['=<', isAtMost],
  ['~', isTilde],
  ['~>', isTilde],
  ['^', isCaret],
]);

const PART = '(?:\\d+|[xX*])';
const NAMES = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const VERSION = `v?${PART}(?:\\.${PART}){0,2}(?:-${NAMES})?(?:\\+${NAMES})?`;
const CONDITION = new RegExp(`(=|!=|>=|=>|<=|=<|>|<|~>|~|\\^)?\\s*(${VERSION})(?=[\\s,]|$)`, 'y');
const HYPHEN = new RegExp(`\\s*(${VERSION})\\s+-\\s+(${VERSION})\\s*`, 'g');
const SEPARATOR = /\s*,?\s*/y;
const WILDCARD = /^[xX*]$/;

/** The longest constraint, far more than any in use. */
const MAX_CHARS = 1000;

const parseCondition = (operator: string, text: string): Condition | undefined => {
  const [, numbers = '', tail = ''] = /^v?([^-+]*)(.*)$/.exec(text) ?? [];
  const given = numbers.split('.');
  const wildcard = given.findIndex((part) => WILDCARD.test(part));
  const parts = wildcard < 0 ? given.length : wildcard;
  const kept = [...given.slice(0, parts), '0', '0', '0'].slice(0, 3);
  const wanted = readVersion(kept.join('.') + tail);
  return wanted && { operator, wanted, parts };
};

/** Returns all conditions of one alternative; undefined when a part of the text is left over. */
const parseConditions = (text: string): readonly Condition[] | undefined => {
  const plain = text.trim();
  const found: Condition[] = [];
  let at = 0;
  while (at < plain.length) {
    CONDITION.lastIndex = at;
    const match = CONDITION.exec(plain);
    const condition = match && parseCondition(match[1] ?? '', match[2] ?? '');
    if (!condition) return undefined;
    found.push(condition);
    SEPARATOR.lastIndex = CONDITION.lastIndex;
    at = CONDITION.lastIndex + (SEPARATOR.exec(plain)?.[0].length ?? 0);
  }
  return found.length === 0 || plain.endsWith(',') ? undefined : found;
};

/** Reads a constraint: conditions with spaces or commas between them, alternatives with `||`. Nothing when it is none. */
const readConstraint = (text: string): Constraint | undefined => {
  if (text.length > MAX_CHARS) return undefined;
  const alternatives: (readonly Condition[])[] = [];
  for (const part of text.replace(HYPHEN, '>= $1, <= $2').split('||')) {
    const conditions = parseConditions(part);
    if (conditions === undefined) return undefined;
    alternatives.push(conditions);
  }
  return alternatives;
};

/** Prereleases meet only conditions that name one themselves, and those that exclude one version. */
const canMeetCondition = (version: SemVer, condition: Condition): boolean => {
  const { operator, wanted, parts } = condition;
  const excludesOne = operator === '!=' && parts === 3;
  if (version.prerelease.length > 0 && wanted.prerelease.length === 0 && !excludesOne) return false;
  return OPERATORS.get(operator)?.(version, condition) === true;
};

const canMeetConstraint = (version: SemVer, constraint: Constraint): boolean =>
  constraint.some((alternative) =>
    alternative.every((condition) => canMeetCondition(version, condition)),
  );

const entry = createEntryFactory('Versions');

/** Parsing a constraint costs more than reading its text. */
const UNITS_PER_CHAR = 200;

const formatValue = (value: string): string => JSON.stringify(value.slice(0, 100));

const createVersionFailure = (value: string): FunctionFailure =>
  new FunctionFailure(`${formatValue(value)} is not a semantic version`);

const compare = (constraint: string, value: string): boolean | FunctionFailure => {
  const conditions = readConstraint(constraint);
  if (conditions === undefined)
    return new FunctionFailure(`${formatValue(constraint)} is not a constraint on versions`);
  const version = readVersion(value);
  return version === undefined
    ? createVersionFailure(value)
    : canMeetConstraint(version, conditions);
};

export const versionFunctions = {
  semver: entry(
    withArguments([readTextArgument], ([value]) => {
      const version = readVersion(value);
      if (version === undefined) return createVersionFailure(value);
      return {
        Major: version.major,
        Minor: version.minor,
        Patch: version.patch,
        Prerelease: formatPrerelease(version),
        Metadata: formatMetadata(version),
        Original: value,
      };
    }),
    'semver version',
    'The parts of a version as a map: `Major`, `Minor`, `Patch`, `Prerelease`, `Metadata`, `Original`.',
    ['{{ $v := semver "v1.2.3-beta.1" }}{{ $v.Minor }} {{ $v.Prerelease }}', '2 beta.1'],
  ),
  semverCompare: entry(
    withArguments([readTextArgument, readTextArgument], ([constraint, value], context) =>
      makeWithinBudget(context, UNITS_PER_CHAR * constraint.length, () =>
        compare(constraint, value),
      ),
    ),
    'semverCompare constraint version',
    'Whether a version meets a constraint: `=`, `!=`, `>`, `<`, `>=`, `<=`, `~`, `^`, `1.2 - 1.4`, `1.2.x`; spaces or commas for and, `||` for or.',
    ['{{ semverCompare "^1.2.0 || >3" "1.5.1" }}', 'true'],
  ),
} satisfies FunctionEntries;
