import type { Templated, ValueExpectation } from '../../src/index.ts';

const isTemplated = (value: object): value is Templated =>
  Object.keys(value).join() === 'source,parsed';

const isValueExpectation = (value: unknown): value is ValueExpectation =>
  typeof value === 'object' && value !== null && 'written' in value && 'expected' in value;

const listAsWritten = (list: readonly unknown[]): unknown =>
  list.length > 0 && list.every(isValueExpectation)
    ? Object.fromEntries(list.map(({ written, expected }) => [written, expected.source]))
    : list.map(asWritten);

/** A part of a workflow with the source of each templated value in its place, for comparison with literals. */
export function asWritten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return listAsWritten(value);
  if (isTemplated(value)) return value.source;
  const entries = Object.entries(value).map(([key, member]) => [key, asWritten(member)] as const);
  return Object.fromEntries(entries);
}
