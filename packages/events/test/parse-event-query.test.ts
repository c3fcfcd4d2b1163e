import { parseEventQuery } from '@gateway/events';
import { describe, expect, it } from 'vitest';
import { goDurationText } from '../src/go-duration.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');

const sinceOf = (since: string): string | undefined => {
  const parsed = parseEventQuery({ since }, NOW);
  if (!parsed.ok) return parsed.text;
  return new Date(parsed.query.since ?? Number.NaN).toISOString();
};

describe('a time of a query', () => {
  it.each([
    ['1h', '2026-05-04T11:00:00.000Z'],
    ['30m', '2026-05-04T11:30:00.000Z'],
    ['1h30m', '2026-05-04T10:30:00.000Z'],
    ['1.5h', '2026-05-04T10:30:00.000Z'],
    ['90s', '2026-05-04T11:58:30.000Z'],
    ['250ms', '2026-05-04T11:59:59.750Z'],
    ['0', '2026-05-04T12:00:00.000Z'],
    ['2026-05-04T10:00:00Z', '2026-05-04T10:00:00.000Z'],
    ['2026-05-04t10:00:00.25+02:00', '2026-05-04T08:00:00.250Z'],
    ['2024-02-29T23:59:59-00:30', '2024-03-01T00:29:59.000Z'],
  ])('%s', (text, time) => expect(sinceOf(text)).toBe(time));

  it.each([
    ...['yesterday', '1', '1d', '-1h', '1h 30m', 'h', '.h', '2026-05-04', '2026-05-04 10:00:00'],
    ...['2026-05-04T10:00:00', '2026-02-30T10:00:00Z', '2025-02-29T10:00:00Z'],
    ...['2026-05-04T24:00:00Z', '2026-05-04T10:00:60Z', '2026-05-04T10:00:00+24:00'],
  ])('%s is none', (text) =>
    expect(sinceOf(text)).toBe(
      `Invalid 'since' time format: ${JSON.stringify(text)} is neither an RFC 3339 time such as 2026-05-04T10:00:00Z nor a duration such as 1h or 30m`,
    ),
  );

  it('is shown shortened, and on one line', () => {
    expect(parseEventQuery({ until: `a\nb${'1'.repeat(10_000_000)}` }, NOW)).toEqual({
      ok: false,
      text: `Invalid 'until' time format: "a b${'1'.repeat(96)}…" is neither an RFC 3339 time such as 2026-05-04T10:00:00Z nor a duration such as 1h or 30m`,
    });
  });
});

it('takes everything over that is given, and nothing else', () => {
  const filter = { resourceType: 'MCPServer', resourceName: 'a', namespace: 'n', limit: 5 };
  expect(parseEventQuery({ ...filter, eventType: 'Warning' }, NOW)).toEqual({
    ok: true,
    query: { kind: 'MCPServer', name: 'a', namespace: 'n', type: 'Warning', limit: 5 },
  });
  expect(parseEventQuery({ since: undefined }, NOW)).toEqual({ ok: true, query: {} });
});

it.each([
  [0, '0s'],
  [-1, '0s'],
  [Number.NaN, '0s'],
  [0.0004, '0s'],
  [0.25, '250µs'],
  [1.5, '1.5ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [2_250, '2.25s'],
  [60_000, '1m0s'],
  [3_605_000, '1h0m5s'],
  [90_061_001, '25h1m1.001s'],
  [Number.POSITIVE_INFINITY, '277777h46m40s'],
])('a duration of %d ms prints as %s', (ms, text) => expect(goDurationText(ms)).toBe(text));
