import type { ValidationIssue } from '../validation-issue.ts';

type Path = ValidationIssue['path'];
type Fields = Readonly<Record<string, unknown>>;
/** Turns the value of one field, and says what is wrong with spellings inside it. */
type Turn = (value: unknown, path: Path, problems: ValidationIssue[]) => unknown;

/** A mapping of which the fields are known: older spellings, and what is turned inside. */
interface Shape {
  readonly spellings: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, Turn>>;
}

const isMapping = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ownOf = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const mapping =
  (shape: Shape): Turn =>
  (value, path, problems) => {
    if (!isMapping(value)) return value;
    const turned = Object.create(null) as Record<string, unknown>;
    for (const [written, member] of Object.entries(value)) {
      const key = ownOf(shape.spellings, written) ?? written;
      if (key !== written && Object.hasOwn(value, key)) {
        problems.push({ path: [...path, key], message: `set ${key} or ${written}, not both` });
        continue;
      }
      const turn = ownOf(shape.members, key);
      turned[key] = turn === undefined ? member : turn(member, [...path, key], problems);
    }
    return turned;
  };

const list =
  (turn: Turn): Turn =>
  (value, path, problems) =>
    Array.isArray(value)
      ? value.map((entry, index) => turn(entry, [...path, index], problems))
      : value;

const expectation = mapping({ spellings: { json_path: 'jsonPath' }, members: {} });

const condition = mapping({
  spellings: { from_step: 'fromStep', expect_not: 'expectNot' },
  members: { expect: expectation, expectNot: expectation },
});

const stepSpellings = { allow_failure: 'allowFailure', for_each: 'forEach' };

/** Bodies are flat: nothing is turned inside a sub-step that is no tool call, however deep it goes. */
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

/** A definition in camel case, and the fields that are there in both spellings. */
export interface CamelCaseDefinition {
  readonly definition: unknown;
  readonly problems: readonly ValidationIssue[];
}

/**
 * Reads the older snake-case spellings of a definition's own fields. What users put into `args`, `output` and `jsonPath`
 * stays as it is. The given value is not changed.
 *
 * @spec §2.7
 */
export const camelCaseDefinition = (given: unknown): CamelCaseDefinition => {
  const problems: ValidationIssue[] = [];
  return { definition: definition(given, [], problems), problems };
};
