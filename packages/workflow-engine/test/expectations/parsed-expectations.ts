import type {
  Expectation,
  Expectations,
  ResultPlace,
  ValueExpectation,
} from '@gateway/crd-schemas';
import { parsePath, parseText, parseValue, type JsonValue } from '@gateway/go-template';

/** An expectation as a document has it. */
export interface WrittenExpectation {
  readonly success?: boolean;
  readonly jsonPath?: Readonly<Record<string, JsonValue>>;
}

export interface WrittenExpectations {
  readonly expect?: WrittenExpectation;
  readonly expectNot?: WrittenExpectation;
}

const placeOf = (written: string): ResultPlace => {
  const parsed = parseText(written);
  if (!parsed.ok) throw new Error(parsed.error.message);
  if (parsed.value !== undefined) return { kind: 'template', template: parsed.value };
  const path = parsePath(written);
  if (!path.ok) throw new Error(path.error);
  return { kind: 'path', path: path.value };
};

const valueExpectation = ([written, source]: [string, JsonValue]): ValueExpectation => {
  const parsed = parseValue(source);
  if (!parsed.ok) throw new Error(parsed.error);
  return { written, place: placeOf(written), expected: { source, parsed: parsed.value } };
};

const parsedExpectation = ({ success, jsonPath }: WrittenExpectation): Expectation => ({
  ...(success !== undefined && { success }),
  ...(jsonPath && { jsonPath: Object.entries(jsonPath).map(valueExpectation) }),
});

/** Expectations with their paths and templates parsed, as a workflow carries them. */
export const parsedExpectations = ({ expect, expectNot }: WrittenExpectations): Expectations => ({
  ...(expect && { expect: parsedExpectation(expect) }),
  ...(expectNot && { expectNot: parsedExpectation(expectNot) }),
});
