import * as z from 'zod/mini';
import type { JsonValue } from '@gateway/go-template';
import {
  DNS_LABEL,
  type IntegerBounds,
  type KeyedMapBounds,
  LABEL_KEY,
  LABEL_VALUE,
  RESOURCE_NAME,
  type ReadKey,
  type TextBounds,
  type TextPattern,
  checkMaximumLength,
  describeField,
  nameField,
  withFacts,
} from './field-facts.ts';
import {
  DEFAULT_NAMESPACE,
  MAX_ANNOTATION_CHARS,
  MAX_CONDITIONS,
  MAX_CONDITION_MESSAGE_CHARS,
  MAX_CONDITION_REASON_CHARS,
  MAX_CONDITION_TYPE_CHARS,
  MAX_DNS_LABEL_CHARS,
  MAX_ISSUES,
  MAX_METADATA_ENTRIES,
  MAX_SUBDOMAIN_CHARS,
  MAX_TIME_CHARS,
  MAX_VALUE_DEPTH,
  MAX_VALUE_NODES,
  MAX_VALUE_UNITS,
} from './limits.ts';
import {
  type ValidationIssue,
  formatValueKind,
  isMapping,
  listZodIssues,
  pushIssues,
} from './validation-issue.ts';

/** Returns the length in characters, as JSON Schema and Kubernetes count it. Stops counting past `enough`. */
const countCharacters = (text: string, enough: number): number => {
  if (text.length <= enough) return text.length;
  let count = 0;
  for (const _character of text) {
    count += 1;
    if (count > enough) break;
  }
  return count;
};

const isMatch = (text: string, { regex, also }: TextPattern): boolean =>
  regex.test(text) && (also === undefined || also(text));

/** Returns the first bound that `text` violates, or undefined. Lengths come first, so that a pattern sees bounded text only. */
export const validateText = (
  text: string,
  { min = 0, max, pattern }: TextBounds,
): string | undefined => {
  if (text.length < min) return 'must not be empty';
  if (countCharacters(text, max) > max) return `must be at most ${String(max)} characters`;
  if (pattern === undefined || isMatch(text, pattern)) return undefined;
  return pattern.mistake?.regex.test(text) === true ? pattern.mistake.must : pattern.must;
};

/** Returns a check that reports the problem of a value. */
export const createCheck =
  <Value>(validate: (value: Value) => string | undefined) =>
  ({ value, issues }: z.core.ParsePayload<Value>): void => {
    const message = validate(value);
    if (message !== undefined) issues.push({ code: 'custom', input: value, message });
  };

/** Returns a string field within bounds. */
export const createTextField = (bounds: TextBounds) =>
  withFacts({ text: bounds }, z.string().check(createCheck((text) => validateText(text, bounds))));

const validateInteger = (
  value: number,
  { min, max = Infinity }: IntegerBounds,
): string | undefined => {
  if (!Number.isInteger(value)) return 'must be an integer';
  if (value < min) return `must be at least ${String(min)}`;
  return value > max ? `must be at most ${String(max)}` : undefined;
};

/** Returns an integer field within bounds. */
export const createIntegerField = (bounds: IntegerBounds) =>
  withFacts(
    { integer: bounds },
    z.number().check(createCheck((value) => validateInteger(value, bounds))),
  );

/** Returns an integer field that may be absent. */
export const createOptionalInteger = (min: number, max: number) =>
  z.exactOptional(createIntegerField({ min, max }));

/** Returns a list field of at most so many entries. A longer list is refused before its entries are read. */
export const createListField = <Item extends z.ZodMiniType>(item: Item, maxItems: number) =>
  withFacts({ maxItems }, z.array(item).check(checkMaximumLength(z.maxLength(maxItems))));

/** Returns the problem of a text inside a value, or undefined. */
export type TextCheck = (text: string) => string | undefined;

/** A frozen copy, and what is wrong with the original; the copy means nothing unless `problems` is empty. */
export interface JsonCopy {
  readonly value: JsonValue;
  /** Paths begin at the value. At most 20. */
  readonly problems: readonly ValidationIssue[];
}

interface Copying {
  readonly check: TextCheck;
  /** The path to the current value. */
  readonly path: (string | number)[];
  readonly problems: ValidationIssue[];
  nodes: number;
  units: number;
  /** The bound that the whole value exceeds; copying stops once it is set. */
  exceeded: string | undefined;
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const addProblem = (copying: Copying, message: string): null => {
  if (copying.problems.length < MAX_ISSUES) {
    copying.problems.push({ path: [...copying.path], message });
  }
  return null;
};

const countUnits = (copying: Copying, text: string): void => {
  copying.units += text.length;
  if (copying.units > MAX_VALUE_UNITS) {
    copying.exceeded = `must have at most ${String(MAX_VALUE_UNITS)} characters in all its texts and keys`;
  }
};

const countNode = (copying: Copying): void => {
  copying.nodes += 1;
  if (copying.nodes > MAX_VALUE_NODES) {
    copying.exceeded = `must consist of at most ${String(MAX_VALUE_NODES)} values`;
  }
  if (copying.path.length > MAX_VALUE_DEPTH) {
    copying.exceeded = `must be nested at most ${String(MAX_VALUE_DEPTH)} levels deep`;
  }
};

const copyText = (text: string, copying: Copying): string | null => {
  countUnits(copying, text);
  if (copying.exceeded !== undefined) return null;
  const problem = copying.check(text);
  return problem === undefined ? text : addProblem(copying, problem);
};

const copyMember = (key: string | number, value: unknown, copying: Copying): JsonValue => {
  copying.path.push(key);
  const copy = copyAny(value, copying);
  copying.path.pop();
  return copy;
};

const copyList = (list: readonly unknown[], copying: Copying): JsonValue => {
  const copy: JsonValue[] = [];
  for (let index = 0; index < list.length && copying.exceeded === undefined; index += 1) {
    copy.push(copyMember(index, list[index], copying));
  }
  return Object.freeze(copy);
};

const copyMap = (map: object, copying: Copying): JsonValue => {
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const key of Object.keys(map)) {
    countUnits(copying, key);
    if (copying.exceeded !== undefined) break;
    copy[key] = copyMember(key, (map as Readonly<Record<string, unknown>>)[key], copying);
  }
  return Object.freeze(copy);
};

const copyObject = (value: object | null, copying: Copying): JsonValue => {
  if (value === null) return null;
  if (Array.isArray(value)) return copyList(value, copying);
  return isPlainObject(value)
    ? copyMap(value, copying)
    : addProblem(copying, 'must be a value of JSON');
};

const copyAny = (value: unknown, copying: Copying): JsonValue => {
  countNode(copying);
  if (copying.exceeded !== undefined) return null;
  if (typeof value === 'string') return copyText(value, copying);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') return copyObject(value, copying);
  if (typeof value !== 'number') {
    return addProblem(copying, `must be a value of JSON, not ${formatValueKind(value)}`);
  }
  return Number.isFinite(value) ? value : addProblem(copying, 'must be a finite number');
};

/**
 * Copies a JSON value. Maps of the copy have no prototype, so `__proto__` is an ordinary key. A value that is too deep or too
 * large is one problem; so is one that contains itself.
 *
 * @param check asked about each text, keys left out
 */
export const copyJson = (input: unknown, check: TextCheck = () => undefined): JsonCopy => {
  const copying: Copying = {
    check,
    path: [],
    problems: [],
    nodes: 0,
    units: 0,
    exceeded: undefined,
  };
  const value = copyAny(input, copying);
  const { exceeded, problems } = copying;
  return { value, problems: exceeded === undefined ? problems : [{ path: [], message: exceeded }] };
};

const validateKey = (
  key: string,
  { key: bounds, reserved }: KeyedMapBounds,
): string | undefined => {
  const outOfBounds = validateText(key, { min: 1, ...bounds });
  if (outOfBounds !== undefined) return `the key ${outOfBounds}`;
  return key === reserved?.key ? reserved.message : undefined;
};

const mapIssues = (input: unknown, bounds: KeyedMapBounds): readonly ValidationIssue[] => {
  if (!isMapping(input)) {
    return [{ path: [], message: `must be a mapping, not ${formatValueKind(input)}` }];
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

/**
 * Returns the valid entries of a map in the order of the document, and reports the problems of the others.
 */
const readEntries = <Key, Value>(
  input: unknown,
  context: z.core.ParsePayload,
  { entry, bounds, readKey }: KeyedField<Key, Value>,
): readonly KeyedEntry<Key, Value>[] => {
  const issues = [...mapIssues(input, bounds)];
  const entries: KeyedEntry<Key, Value>[] = [];
  for (const [written, value] of issues.length > 0 ? [] : Object.entries(input as object)) {
    const problem = validateKey(written, bounds);
    const key = problem === undefined ? readKey(written) : { ok: false as const, error: problem };
    const parsed = entry.safeParse(value);
    if (!key.ok) issues.push({ path: [written], message: key.error });
    if (!parsed.success)
      for (const { path, message } of listZodIssues(parsed.error, value))
        issues.push({ path: [written, ...path], message });
    else if (key.ok) entries.push(Object.freeze({ written, key: key.value, value: parsed.data }));
  }
  pushIssues(context, input, issues);
  return Object.freeze(entries);
};

interface KeyedField<Key, Value> {
  readonly entry: z.ZodMiniType<Value>;
  readonly bounds: KeyedMapBounds;
  readonly readKey: ReadKey<Key>;
}

/** Returns a map whose keys are parsed as well, as a frozen list of entries in the order of the document. */
export const createKeyedList = <Key, Value>(
  entry: z.ZodMiniType<Value>,
  bounds: KeyedMapBounds,
  readKey: ReadKey<Key>,
) =>
  withFacts(
    { map: { entry, bounds } },
    z.pipe(
      z.unknown(),
      z.transform((input, context) => readEntries(input, context, { entry, bounds, readKey })),
    ),
  );

/**
 * A map from user-chosen names to values of one kind. The result is frozen and has no prototype, so that `__proto__` and
 * `constructor` are ordinary keys.
 */
export const createKeyedMap = <Value>(entry: z.ZodMiniType<Value>, bounds: KeyedMapBounds) =>
  withFacts(
    { map: { entry, bounds } },
    z.pipe(
      createKeyedList(entry, bounds, (key) => ({ ok: true, value: key })),
      z.transform((entries): Readonly<Record<string, Value>> => {
        const map = Object.create(null) as Record<string, Value>;
        for (const { key, value } of entries) map[key] = value;
        return Object.freeze(map);
      }),
    ),
  );

export interface StringMapBounds {
  readonly key: TextBounds;
  readonly value: TextBounds;
  readonly maxEntries: number;
}

/** Returns a map from user-chosen names to strings, frozen and without prototype. */
export const createStringMap = ({ key, value, maxEntries }: StringMapBounds) =>
  createKeyedMap(createTextField(value), { key, maxEntries });

/** Returns a JSON value within bounds. The result is frozen, and its maps have no prototype. */
export const createJsonField = () =>
  withFacts(
    { json: 'value' },
    z.pipe(
      z.unknown(),
      z.transform((input, context): JsonValue => {
        const { value, problems } = copyJson(input);
        pushIssues(context, input, problems);
        return value;
      }),
    ),
  );

/** Freezes a value and everything in it that is not frozen yet. */
export const freezeDeep = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freezeDeep(member);
  return Object.freeze(value);
};

/** A standard condition, as Kubernetes writes it. Times are RFC 3339. */
export interface StatusCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  /** The `metadata.generation` that the condition is about; absent for a resource that is not in a cluster. */
  readonly observedGeneration?: number;
}

/** A time in RFC 3339. */
export const timeText = createTextField({ max: MAX_TIME_CHARS });

/** The fields of a type, complete and without others. */
export type ParsedFields<Value> = { readonly [Key in keyof Value]-?: z.ZodMiniType };

const statusCondition = nameField(
  'StatusCondition',
  z.strictObject({
    type: describeField(
      'The type of the condition.',
      createTextField({ max: MAX_CONDITION_TYPE_CHARS }),
    ),
    status: describeField('The status of the condition.', z.enum(['True', 'False', 'Unknown'])),
    reason: describeField(
      'Why, in one word.',
      createTextField({ max: MAX_CONDITION_REASON_CHARS }),
    ),
    message: describeField(
      'Why, in a sentence.',
      createTextField({ max: MAX_CONDITION_MESSAGE_CHARS }),
    ),
    lastTransitionTime: describeField('When status changed last.', timeText),
    observedGeneration: describeField(
      'The metadata.generation that the condition is about.',
      z.exactOptional(createIntegerField({ min: 0 })),
    ),
  } satisfies ParsedFields<StatusCondition>),
);

export const statusConditions = createListField(statusCondition, MAX_CONDITIONS);

const labelKey = { max: MAX_SUBDOMAIN_CHARS + 1 + MAX_DNS_LABEL_CHARS, pattern: LABEL_KEY };

const labels = createStringMap({
  key: labelKey,
  value: { max: MAX_DNS_LABEL_CHARS, pattern: LABEL_VALUE },
  maxEntries: MAX_METADATA_ENTRIES,
});

const annotations = createStringMap({
  key: labelKey,
  value: { max: MAX_ANNOTATION_CHARS },
  maxEntries: MAX_METADATA_ENTRIES,
});

const ignored = z.exactOptional(z.unknown());

/** Written by the Kubernetes API server. Accepted, so that an exported resource is a valid file, and dropped. */
const assignedByTheCluster = {
  creationTimestamp: ignored,
  deletionGracePeriodSeconds: ignored,
  deletionTimestamp: ignored,
  finalizers: ignored,
  generateName: ignored,
  generation: ignored,
  managedFields: ignored,
  ownerReferences: ignored,
  resourceVersion: ignored,
  selfLink: ignored,
  uid: ignored,
};

const namespace = createTextField({ min: 1, max: MAX_DNS_LABEL_CHARS, pattern: DNS_LABEL });

/** `metadata` of a resource. @spec §2.6 */
export const objectMetadataFields = nameField(
  'Metadata',
  z.strictObject({
    name: describeField(
      'Name of the resource; that of its file without the ending.',
      createTextField({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
    ),
    namespace: describeField(
      'Namespace of the resource.',
      z._default(namespace, DEFAULT_NAMESPACE),
    ),
    labels: describeField('Labels, by which presets select servers.', z.exactOptional(labels)),
    annotations: describeField(
      'Notes for people and other programs.',
      z.exactOptional(annotations),
    ),
    ...assignedByTheCluster,
  }),
);

/** `metadata` of a resource, parsed. @spec §2.6 */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace: string;
  /** Without prototype; empty when the document has none. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

/** Returns the part of `metadata` that the gateway uses. */
export const toObjectMetadata = (fields: z.output<typeof objectMetadataFields>): ObjectMetadata =>
  Object.freeze({
    name: fields.name,
    namespace: fields.namespace,
    labels: fields.labels ?? NO_LABELS,
    ...(fields.annotations === undefined ? {} : { annotations: fields.annotations }),
  });
