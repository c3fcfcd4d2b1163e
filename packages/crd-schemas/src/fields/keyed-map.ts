import * as z from 'zod/mini';
import type { ValidationIssue } from '../resource/validation-issue.ts';
import { textProblem } from './bounded-text.ts';
import { withFacts } from './field-facts.ts';
import { isMapping } from './is-mapping.ts';
import { issuesOfZod } from './issues-of-zod.ts';
import type { KeyedMapBounds, ReadKey } from './keyed-map-bounds.ts';
import { kindOf } from './kind-of.ts';
import { pushIssues } from './push-issues.ts';

const keyProblem = (key: string, { key: bounds, reserved }: KeyedMapBounds): string | undefined => {
  const outOfBounds = textProblem(key, { min: 1, ...bounds });
  if (outOfBounds !== undefined) return `the key ${outOfBounds}`;
  return key === reserved?.key ? reserved.message : undefined;
};

const mapIssues = (input: unknown, bounds: KeyedMapBounds): readonly ValidationIssue[] => {
  if (!isMapping(input)) {
    return [{ path: [], message: `must be a mapping, not ${kindOf(input)}` }];
  }
  return Object.keys(input).length > bounds.maxEntries
    ? [{ path: [], message: `must have at most ${String(bounds.maxEntries)} entries` }]
    : [];
};

/** An entry of a map: the key as written, the parsed key, and the value. */
export interface KeyedEntry<Key, Value> {
  readonly written: string;
  readonly key: Key;
  readonly value: Value;
}

/** Collects the problems of a map while it is read. */
interface MapReading<Key, Value> {
  readonly bounds: KeyedMapBounds;
  readonly readKey: ReadKey<Key>;
  readonly field: z.ZodMiniType<Value>;
  readonly issues: ValidationIssue[];
}

const readKeyOf = <Key>(
  written: string,
  { bounds, readKey, issues }: MapReading<Key, unknown>,
): { readonly key: Key } | undefined => {
  const outOfBounds = keyProblem(written, bounds);
  const read = outOfBounds === undefined ? readKey(written) : undefined;
  if (read?.ok === true) return read;
  issues.push({ path: [written], message: outOfBounds ?? read?.message ?? '' });
  return undefined;
};

/** Returns the parsed value of an entry, or adds its problems to the issues. */
const readValueOf = <Value>(
  written: string,
  input: unknown,
  { field, issues }: MapReading<unknown, Value>,
): { readonly data: Value } | undefined => {
  const parsed = field.safeParse(input);
  if (parsed.success) return parsed;
  for (const { path, message } of issuesOfZod(parsed.error, input)) {
    issues.push({ path: [written, ...path], message });
  }
  return undefined;
};

/** Passes each valid entry of a map to `take`, and adds the problems of the others to the issues. */
const readEntries = <Key, Value>(
  input: unknown,
  reading: MapReading<Key, Value>,
  take: (key: Key, value: Value, written: string) => void,
): void => {
  const { bounds, issues } = reading;
  issues.push(...mapIssues(input, bounds));
  if (issues.length > 0) return;
  for (const [written, value] of Object.entries(input as object)) {
    const read = readKeyOf(written, reading);
    const parsed = readValueOf(written, value, reading);
    if (read !== undefined && parsed !== undefined) take(read.key, parsed.data, written);
  }
};

const asWritten: ReadKey<string> = (key) => ({ ok: true, key });

/**
 * A map from user-chosen names to values of one kind. The result is frozen and has no prototype, so that `__proto__` and
 * `constructor` are ordinary keys.
 */
export const keyedMap = <Value>(entry: z.ZodMiniType<Value>, bounds: KeyedMapBounds) =>
  withFacts(
    { map: { entry, bounds } },
    z.pipe(
      z.unknown(),
      z.transform((input, context): Readonly<Record<string, Value>> => {
        const reading = { bounds, readKey: asWritten, field: entry, issues: [] };
        const map = Object.create(null) as Record<string, Value>;
        readEntries(input, reading, (key, value) => {
          map[key] = value;
        });
        pushIssues(context, input, reading.issues);
        return Object.freeze(map);
      }),
    ),
  );

/** Returns a map whose keys are parsed as well, as a frozen list of entries in the order of the document. */
export const keyedList = <Key, Value>(
  entry: z.ZodMiniType<Value>,
  bounds: KeyedMapBounds,
  readKey: ReadKey<Key>,
) =>
  withFacts(
    { map: { entry, bounds } },
    z.pipe(
      z.unknown(),
      z.transform((input, context): readonly KeyedEntry<Key, Value>[] => {
        const reading = { bounds, readKey, field: entry, issues: [] };
        const entries: KeyedEntry<Key, Value>[] = [];
        readEntries(input, reading, (key, value, written) => {
          entries.push(Object.freeze({ written, key, value }));
        });
        pushIssues(context, input, reading.issues);
        return Object.freeze(entries);
      }),
    ),
  );
