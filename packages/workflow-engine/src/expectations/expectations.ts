import type { Expectation, Expectations, ResultPlace } from '@gateway/crd-schemas';
import {
  renderValue,
  walkPath,
  type JsonValue,
  type Path,
  type RenderAllowance,
  type RenderOptions,
  type ValueTemplate,
} from '@gateway/go-template';
import type { TemplateData } from '../model/template-data.ts';
import type { SearchLimits } from '../paths/guarded-view.ts';
import {
  compileJsonPath,
  findByJsonPath,
  sharedSearchLimits,
  type JsonPathQuery,
} from '../paths/json-path.ts';
import { equalsAsPrinted } from './equals-as-printed.ts';

/** The place of a value that an expectation checks. */
type Place =
  | { readonly kind: 'steps'; readonly path: Extract<Path, { kind: 'steps' }> }
  | { readonly kind: 'json-path'; readonly query: JsonPathQuery }
  | { readonly kind: 'template'; readonly template: ValueTemplate };

/** One value of an outcome with what it must equal. */
export interface ValueCheck {
  readonly place: Place;
  readonly expected: ValueTemplate;
}

const templatesOf = ({ place, expected }: ValueCheck): readonly ValueTemplate[] =>
  place.kind === 'template' ? [expected, place.template] : [expected];

interface CompiledExpectation {
  readonly success: boolean | undefined;
  readonly values: readonly ValueCheck[];
}

/** The expectations of a condition, prepared to be checked many times. */
export interface CompiledExpectations {
  readonly expect: CompiledExpectation | undefined;
  readonly expectNot: CompiledExpectation | undefined;
}

/** The outcome of a call that is checked, with its result. */
export interface CheckedOutcome {
  readonly failed: boolean;
  readonly result: JsonValue;
}

/** The result of the check of an outcome, or the reason that this cannot be decided. */
export type ExpectationsMet =
  { readonly ok: true; readonly passed: boolean } | { readonly ok: false; readonly text: string };

const placeOf = (place: ResultPlace): Place => {
  if (place.kind === 'template') return { kind: 'template', template: place };
  return place.path.kind === 'steps'
    ? { kind: 'steps', path: place.path }
    : { kind: 'json-path', query: compileJsonPath(place.path) };
};

const compileExpectation = ({ success, jsonPath = [] }: Expectation): CompiledExpectation => ({
  success,
  values: jsonPath.map(({ place, expected }) => ({
    place: placeOf(place),
    expected: expected.parsed,
  })),
});

/** Prepares the expectations of a condition to be checked many times. @spec §2.7 */
export const compileExpectations = ({ expect, expectNot }: Expectations): CompiledExpectations => ({
  expect: expect && compileExpectation(expect),
  expectNot: expectNot && compileExpectation(expectNot),
});

/** The limits of a check: all paths and values of it share them. */
export interface CheckLimits extends RenderOptions {
  readonly allowance: RenderAllowance;
  /** The limits of paths; the default ones when absent. */
  readonly searches?: SearchLimits;
}

interface Question {
  readonly outcome: CheckedOutcome;
  readonly data: TemplateData;
  readonly limits: CheckLimits;
  readonly searches: SearchLimits;
}

type Found =
  | { readonly kind: 'found'; readonly value: JsonValue }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly text: string };

const MISSING: Found = Object.freeze({ kind: 'missing' });

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

const finders: { readonly [K in Place['kind']]: (place: PlaceOf<K>, asked: Question) => Found } = {
  steps: ({ path }, { outcome }) => {
    const walked = walkPath(outcome.result, path.steps, path.written);
    return walked.ok ? { kind: 'found', value: walked.value } : MISSING;
  },
  'json-path': ({ query }, { outcome, searches }) =>
    findByJsonPath(query, outcome.result, searches),
  template: ({ template }, { outcome, data, limits }) => {
    const rendered = renderValue(template, { ...data, result: outcome.result }, limits);
    return rendered.ok ? { kind: 'found', value: rendered.value } : MISSING;
  },
};

const findAt = <K extends Place['kind']>(place: PlaceOf<K>, asked: Question): Found =>
  finders[place.kind](place, asked);

const PASSED: ExpectationsMet = Object.freeze({ ok: true, passed: true });
const NOT_PASSED: ExpectationsMet = Object.freeze({ ok: true, passed: false });
const TOO_MUCH: ExpectationsMet = Object.freeze({
  ok: false,
  text: 'comparing the values takes more than is allowed',
});

const checkValue = ({ place, expected }: ValueCheck, asked: Question): ExpectationsMet => {
  const wanted = renderValue(expected, asked.data, asked.limits);
  if (!wanted.ok) return wanted;
  const found = findAt(place, asked);
  if (found.kind === 'refused') return { ok: false, text: found.text };
  if (found.kind === 'missing') return NOT_PASSED;
  const { allowance } = asked.limits;
  const passed = equalsAsPrinted(found.value, wanted.value, (units) => {
    allowance.units -= units;
    return allowance.units >= 0;
  });
  return passed === undefined ? TOO_MUCH : { ok: true, passed };
};

/** Checks every part of one expectation. Absent parts pass. */
const checkExpectation = (
  { success, values }: CompiledExpectation,
  asked: Question,
): ExpectationsMet => {
  if (success !== undefined && success === asked.outcome.failed) return NOT_PASSED;
  for (const value of values) {
    const checked = checkValue(value, asked);
    if (!checked.ok || !checked.passed) return checked;
  }
  return PASSED;
};

/**
 * Checks an outcome: `expect` must be satisfied completely, `expectNot` must not be satisfied completely, both where both are
 * present. A missing value equals nothing. An expected value that cannot be rendered is a failure.
 * @spec §2.7
 */
export const meetsExpectations = (
  { expect, expectNot }: CompiledExpectations,
  outcome: CheckedOutcome,
  data: TemplateData,
  limits: CheckLimits,
): ExpectationsMet => {
  const asked = { outcome, data, limits, searches: limits.searches ?? sharedSearchLimits() };
  const wanted = expect === undefined ? PASSED : checkExpectation(expect, asked);
  if (!wanted.ok || !wanted.passed || expectNot === undefined) return wanted;
  const unwanted = checkExpectation(expectNot, asked);
  return unwanted.ok ? { ok: true, passed: !unwanted.passed } : unwanted;
};

/** Returns all templates of expectations. */
export const expectedTemplates = ({
  expect,
  expectNot,
}: CompiledExpectations): readonly ValueTemplate[] =>
  [...(expect?.values ?? []), ...(expectNot?.values ?? [])].flatMap(templatesOf);
