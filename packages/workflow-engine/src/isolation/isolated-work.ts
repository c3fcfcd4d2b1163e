import type {
  Expectation,
  Expectations,
  JsonMap,
  JsonValue,
  ResultPlace,
  ValueExpectation,
} from '@gateway/crd-schemas';
import {
  createAllowanceWithin,
  listDataReferences,
  type DataReferences,
  isJsonList,
  isJsonMap,
  isSpent,
  parseValue,
  type RenderOptions,
  renderValue,
  countStepsTaken,
  type ValueTemplate,
} from '@gateway/go-template';
import type { TemplateData } from '../model/finished-run.ts';
import {
  type CheckedOutcome,
  listExpectedTemplates,
  checkExpectations,
} from '../expectations/expectations.ts';

export interface IsolationLimits {
  /** Processes that do work at the same time. */
  readonly processes: number;
  /** Heap limit of a process, in bytes. */
  readonly memoryBytes: number;
  /** Time limit of one piece of work, in milliseconds. */
  readonly timeoutMs: number;
}

/** The limits where nothing else is configured. */
export const ISOLATION_LIMITS: IsolationLimits = Object.freeze({
  processes: 1,
  memoryBytes: 64 * 1024 * 1024,
  timeoutMs: 10_000,
});

/** Returns a parsed value as it was written. */
const toSource = (value: ValueTemplate): JsonValue => {
  switch (value.kind) {
    case 'constant':
      return value.value;
    case 'template':
      return value.template.text;
    case 'list':
      return value.items.map(toSource);
    case 'map':
      return Object.fromEntries(value.entries.map(([key, member]) => [key, toSource(member)]));
  }
};

/** Parses the result of {@link toSource}. */
const toValue = (source: JsonValue | undefined): ValueTemplate => {
  const parsed = parseValue(source ?? null);
  // The value was parsed where the work comes from.
  if (!parsed.ok) throw new TypeError(parsed.error);
  return parsed.value;
};

/** Messages about a missing key compare it with this number of existing keys. */
const COMPARED_KEYS = 256;

/** Returns a map with the given keys; other keys have no value but exist, for messages about missing keys. */
const selectKeys = (map: JsonMap, keys: ReadonlySet<string>): JsonMap => {
  const part = Object.create(null) as Record<string, JsonValue>;
  for (const key of Object.keys(map).slice(0, COMPARED_KEYS)) part[key] = null;
  for (const key of keys) {
    const value = Object.hasOwn(map, key) ? map[key] : undefined;
    if (value !== undefined) part[key] = value;
  }
  return part;
};

const selectPart = (value: JsonValue, root: string, references: DataReferences): JsonValue => {
  const own = references.filter(([name]) => name === root);
  if (own.some(([, key]) => key === undefined) || !isJsonMap(value)) {
    return own.length === 0 ? null : value;
  }
  return selectKeys(value, new Set(own.flatMap(([, key]) => key ?? [])));
};

/** Returns the part of the data that templates refer to, as it is at this moment: a run adds results later. */
const selectData = (templates: readonly ValueTemplate[], data: TemplateData): JsonMap => {
  const references = listDataReferences(templates);
  const parts = Object.entries(data).map(([root, value]) => {
    if (references !== undefined) return [root, selectPart(value, root, references)] as const;
    return [root, isJsonMap(value) ? { ...value } : value] as const;
  });
  return Object.fromEntries(parts);
};

/** Rendered values, or the position of the first one that failed and the reason. */
export type RenderedValues =
  /** `made` is an estimate of the bytes of memory that they take in addition to existing data. */
  | { readonly ok: true; readonly values: readonly JsonValue[]; readonly made: number }
  | { readonly ok: false; readonly at: number; readonly error: string };

/** Renders values in order with one allowance. */
export const renderValues = (
  templates: readonly ValueTemplate[],
  data: JsonMap,
  options: Required<Pick<RenderOptions, 'allowance'>> & RenderOptions,
): RenderedValues => {
  const values: JsonValue[] = [];
  for (const template of templates) {
    const rendered = renderValue(template, data, options);
    if (!rendered.ok) return { ok: false, at: values.length, error: rendered.error };
    values.push(rendered.value);
  }
  return { ok: true, values, made: options.allowance.made };
};

/** The limits of work that is done in another process. */
export interface IsolatedLimits {
  readonly maxBytes: number;
  readonly maxSteps: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const renderWork = (
  templates: readonly ValueTemplate[],
  data: TemplateData,
  limits: IsolatedLimits,
): JsonMap => ({
  kind: 'render',
  templates: templates.map(toSource),
  data: selectData(templates, data),
  limits: { ...limits },
});

/** Does the work of {@link renderWork}. */
const runRenderWork = (work: JsonMap): JsonMap => {
  const { maxBytes, maxSteps, now } = work['limits'] as unknown as IsolatedLimits;
  const options = { maxBytes, now: () => now };
  const given = createAllowanceWithin(options, maxSteps);
  const allowance = { ...given };
  const templates = isJsonList(work['templates']) ? work['templates'].map(toValue) : [];
  const rendered = renderValues(templates, work['data'] as JsonMap, { ...options, allowance });
  return { ...rendered, steps: countStepsTaken(given, allowance), spent: isSpent(allowance) };
};

const checkSource = ({ written, place, expected }: ValueExpectation): JsonMap => ({
  written,
  // A path is plain data; a template is sent as its text.
  place: place.kind === 'template' ? place.template.text : (place as unknown as JsonMap),
  expected: toSource(expected.parsed),
});

const toValueExpectation = (source: JsonMap): ValueExpectation => {
  const { place, expected = null } = source;
  return {
    written: source['written'] as string,
    place: (typeof place === 'string' ? toValue(place) : place) as ResultPlace,
    expected: { source: expected, parsed: toValue(expected) },
  };
};

const toExpectationSource = (expectation: Expectation | undefined): JsonValue =>
  expectation === undefined
    ? null
    : {
        ...(expectation.success !== undefined && { success: expectation.success }),
        jsonPath: (expectation.jsonPath ?? []).map(checkSource),
      };

const toExpectation = (source: JsonValue | undefined): Expectation | undefined => {
  if (source === null || source === undefined) return undefined;
  const { jsonPath, ...rest } = source as unknown as { readonly jsonPath: readonly JsonMap[] };
  return { ...rest, jsonPath: jsonPath.map(toValueExpectation) };
};

/** Returns the check of an outcome as isolated work. */
export const checkWork = (
  expectations: Expectations,
  outcome: CheckedOutcome,
  data: TemplateData,
  limits: IsolatedLimits,
): JsonMap => ({
  kind: 'check',
  expect: toExpectationSource(expectations.expect),
  expectNot: toExpectationSource(expectations.expectNot),
  outcome: { ...outcome },
  data: selectData(listExpectedTemplates(expectations), data),
  limits: { ...limits },
});

/** Does the work of {@link checkWork}. */
const runCheckWork = (work: JsonMap): JsonMap => {
  const { maxBytes, maxSteps, now } = work['limits'] as unknown as IsolatedLimits;
  const options = { maxBytes, now: () => now };
  const given = createAllowanceWithin(options, maxSteps);
  const allowance = { ...given };
  const expect = toExpectation(work['expect']);
  const expectNot = toExpectation(work['expectNot']);
  const met = checkExpectations(
    { ...(expect && { expect }), ...(expectNot && { expectNot }) },
    work['outcome'] as unknown as CheckedOutcome,
    work['data'] as unknown as TemplateData,
    { ...options, allowance },
  );
  return { ...met, steps: countStepsTaken(given, allowance), spent: isSpent(allowance) };
};

/**
 * Does the work of a run in another process: renders templates or checks a condition. Pure, and without a time limit: the caller ends the
 * process.
 */
export const runIsolatedWork = (work: JsonMap): JsonMap => {
  const { kind } = work;
  if (kind === 'render') return runRenderWork(work);
  if (kind === 'check') return runCheckWork(work);
  throw new TypeError('unknown work');
};
