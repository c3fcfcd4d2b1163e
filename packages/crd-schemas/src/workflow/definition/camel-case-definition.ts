import { isMapping } from '../../fields/is-mapping.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';

type Path = ValidationIssue['path'];

interface Renaming {
  readonly problems: ValidationIssue[];
  /** The number of entries and fields that may still be renamed. The rest is unchanged, and refused as too large. */
  left: number;
}

/** Renames the value of one field, and reports conflicting spellings inside it. */
type Rename = (value: unknown, path: Path, renaming: Renaming) => unknown;

/** More than the fields of the largest workflow. */
const MAX_RENAMED = 200_000;

/** A mapping with known fields: older spellings, and nested values to rename. */
interface Shape {
  readonly spellings: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, Rename>>;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const ownOf = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const mapping =
  (shape: Shape): Rename =>
  (value, path, renaming) => {
    if (!isMapping(value)) return value;
    const fields = Object.keys(value);
    renaming.left -= fields.length;
    if (renaming.left < 0) return value;
    const renamed = Object.create(null) as Record<string, unknown>;
    for (const written of fields) {
      const key = ownOf(shape.spellings, written) ?? written;
      if (key !== written && Object.hasOwn(value, key)) {
        renaming.problems.push({
          path: [...path, key],
          message: `set ${key} or ${written}, not both`,
        });
        continue;
      }
      const rename = ownOf(shape.members, key);
      const member = value[written];
      renamed[key] = rename === undefined ? member : rename(member, [...path, key], renaming);
    }
    return renamed;
  };

const list =
  (rename: Rename): Rename =>
  (value, path, renaming) => {
    if (!isList(value)) return value;
    renaming.left -= value.length;
    return renaming.left < 0
      ? value
      : value.map((entry, index) => rename(entry, [...path, index], renaming));
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
  return { definition: definition(given, [], { problems, left: MAX_RENAMED }), problems };
};
