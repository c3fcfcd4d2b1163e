import { FunctionFailure } from '../../values/template-value.ts';
import { withArguments, text } from '../definition/arguments.ts';
import { makeWithinBudget } from '../definition/budget.ts';
import { entryIn, type FunctionEntries } from '../definition/function-entry.ts';
import { meetsConstraint, readConstraint } from './constraint.ts';
import { metadataOf, prereleaseOf, readVersion } from './version.ts';

const entry = entryIn('Versions');

/** Parsing a constraint costs more than reading its text. */
const UNITS_PER_CHAR = 200;

const shown = (value: string): string => JSON.stringify(value.slice(0, 100));

const noVersion = (value: string): FunctionFailure =>
  new FunctionFailure(`${shown(value)} is not a semantic version`);

const compare = (constraint: string, value: string): boolean | FunctionFailure => {
  const conditions = readConstraint(constraint);
  if (conditions === undefined)
    return new FunctionFailure(`${shown(constraint)} is not a constraint on versions`);
  const version = readVersion(value);
  return version === undefined ? noVersion(value) : meetsConstraint(version, conditions);
};

/** Functions on semantic versions. */
export const versionFunctions = {
  semver: entry(
    withArguments([text], ([value]) => {
      const version = readVersion(value);
      if (version === undefined) return noVersion(value);
      return {
        Major: version.major,
        Minor: version.minor,
        Patch: version.patch,
        Prerelease: prereleaseOf(version),
        Metadata: metadataOf(version),
        Original: value,
      };
    }),
    'semver version',
    'The parts of a version as a map: `Major`, `Minor`, `Patch`, `Prerelease`, `Metadata`, `Original`.',
    ['{{ $v := semver "v1.2.3-beta.1" }}{{ $v.Minor }} {{ $v.Prerelease }}', '2 beta.1'],
  ),
  semverCompare: entry(
    withArguments([text, text], ([constraint, value], context) =>
      makeWithinBudget(context, UNITS_PER_CHAR * constraint.length, () =>
        compare(constraint, value),
      ),
    ),
    'semverCompare constraint version',
    'Whether a version meets a constraint: `=`, `!=`, `>`, `<`, `>=`, `<=`, `~`, `^`, `1.2 - 1.4`, `1.2.x`; spaces or commas for and, `||` for or.',
    ['{{ semverCompare "^1.2.0 || >3" "1.5.1" }}', 'true'],
  ),
} satisfies FunctionEntries;
