import {
  allowanceWithin,
  isSpent,
  stepsTaken,
  type JsonMap,
  type JsonValue,
} from '@gateway/go-template';
import {
  expectedTemplates,
  meetsExpectations,
  type CheckedOutcome,
  type CompiledExpectations,
  type ValueCheck,
} from '../expectations/expectations.ts';
import type { TemplateData } from '../model/template-data.ts';
import type { IsolatedLimits } from './isolated-render.ts';
import { referencedData } from './referenced-data.ts';
import { sourceOf, valueOf } from './template-source.ts';

type Expectation = CompiledExpectations['expect'];

const checkSource = ({ place, expected }: ValueCheck): JsonMap => ({
  place:
    place.kind === 'template'
      ? { kind: 'template', template: sourceOf(place.template) }
      : (place as unknown as JsonMap),
  expected: sourceOf(expected),
});

const checkOf = (source: JsonMap): ValueCheck => {
  const place = source['place'] as JsonMap;
  return {
    place:
      place['kind'] === 'template'
        ? { kind: 'template', template: valueOf(place['template']) }
        : (place as unknown as ValueCheck['place']),
    expected: valueOf(source['expected']),
  };
};

const expectationSource = (expectation: Expectation): JsonValue =>
  expectation === undefined
    ? null
    : { success: expectation.success ?? null, values: expectation.values.map(checkSource) };

const expectationOf = (source: JsonValue | undefined): Expectation => {
  if (source === null || source === undefined) return undefined;
  const { success, values } = source as unknown as {
    readonly success: boolean | null;
    readonly values: readonly JsonMap[];
  };
  return { success: success ?? undefined, values: values.map(checkOf) };
};

/** Returns the check of an outcome as isolated work. */
export const checkWork = (
  { expect, expectNot }: CompiledExpectations,
  outcome: CheckedOutcome,
  data: TemplateData,
  limits: IsolatedLimits,
): JsonMap => ({
  kind: 'check',
  expect: expectationSource(expect),
  expectNot: expectationSource(expectNot),
  outcome: { ...outcome },
  data: referencedData(expectedTemplates({ expect, expectNot }), data),
  limits: { ...limits },
});

/** Does the work of {@link checkWork}. */
export const doCheckWork = (work: JsonMap): JsonMap => {
  const { maxBytes, maxSteps, now } = work['limits'] as unknown as IsolatedLimits;
  const options = { maxBytes, now: () => now };
  const given = allowanceWithin(options, maxSteps);
  const allowance = { ...given };
  const met = meetsExpectations(
    { expect: expectationOf(work['expect']), expectNot: expectationOf(work['expectNot']) },
    work['outcome'] as unknown as CheckedOutcome,
    work['data'] as unknown as TemplateData,
    { ...options, allowance },
  );
  return { ...met, steps: stepsTaken(given, allowance), spent: isSpent(allowance) };
};
