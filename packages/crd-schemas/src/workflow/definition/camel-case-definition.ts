import { isMapping } from '../../fields/is-mapping.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';

type Path = ValidationIssue['path'];

interface Renaming {
  readonly problems: ValidationIssue[];
  /** The number of entries and fields that may still be renamed. The rest is unchanged, and refused as too large. */
  left: number;
}

/** Renames the value of one field, and reports conflicting spellings inside it. */
type Turn = (value: unknown, path: Path, turning: Renaming) => unknown;

/** More than the fields of the largest workflow. */
const MAX_TURNED = 200_000;

/** A mapping with known fields: older spellings, and nested values to rename. */
interface Shape {
  readonly spellings: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, Turn>>;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const ownOf = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const mapping =
  (shape: Shape): Turn =>
  (value, path, turning) => {
    if (!isMapping(value)) return value;
    const fields = Object.keys(value);
    turning.left -= fields.length;
    if (turning.left < 0) return value;
    const turned = Object.create(null) as Record<string, unknown>;
    for (const written of fields) {
      const key = ownOf(shape.spellings, written) ?? written;
      if (key !== written && Object.hasOwn(value, key)) {
        turning.problems.push({
          path: [...path, key],
          message: `set ${key} or ${written}, not both`,
        });
        continue;
      }
      const turn = ownOf(shape.members, key);
      const member = value[written];
      turned[key] = turn === undefined ? member : turn(member, [...path, key], turning);
    }
    return turned;
  };

const list =
  (turn: Turn): Turn =>
  (value, path, turning) => {
    if (!isList(value)) return value;
    turning.left -= value.length;
    return turning.left < 0
      ? value
      : value.map((entry, index) => turn(entry, [...path, index], turning));
  };

const expectation = mapping({ spellings: { json_path: 'jsonPath' }, members: {} });

const condition = mapping({
  spellings: { from_step: 'fromStep', expect_not: 'expectNot' },
  members: { expect: expectation, expectNot: expectation },
});

const stepSpellings = { allow_failure: 'allowFailure', for_each: 'forEach' };

/** Bodies are flat: nothing is renamed inside a sub-step that is not a tool call, at any depth. */
const subSteps = list(mapping({ spellings: stepSpellings, members: { condition } }));

const forEach = mapping({ spellings: {}, members: { steps: subSteps } });

const step = mapping({
  spellings: stepSpellings,
  members: { condition, forEach, parallel: subSteps },
});

const definition = mapping({
  spellings: { on_failure: 'onFailure' },
  members: { steps: list(step), onFailure: subSteps },
});

/** A definition in camel case, and the fields that are present in both spellings. */
export interface CamelCaseDefinition {
  readonly definition: unknown;
  readonly problems: readonly ValidationIssue[];
}

/**
 * Renames the older snake-case spellings of the fields of a definition. User data in `args`, `output` and `jsonPath` is
 * unchanged. The given value is not modified.
 *
 * @spec §2.7
 */
export const camelCaseDefinition = (given: unknown): CamelCaseDefinition => {
  const problems: ValidationIssue[] = [];
  return { definition: definition(given, [], { problems, left: MAX_TURNED }), problems };
};
