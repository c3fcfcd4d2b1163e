import type { ExecutionRecord } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { RECORD_LIMITS, toRetainedRecord } from '../../src/records/retained-record.ts';
import { countSteps, toExecutionSummary } from '../../src/records/execution-summary.ts';
import { readStoredSummary } from '../../src/records/stored-record.ts';
import { anyJson, fc, test } from '../fast-check.ts';
import { runRecord as record, stepRecord as step } from './builders.ts';

const MARKER = '[truncated: payload exceeded retention size limit]';

const countRecordBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** A text whose JSON has this many bytes. */
const formatCallError = (bytes: number): string => 'x'.repeat(bytes - 2);

/** A record whose JSON has this many bytes, nearly all of them in its result. */
const recordOfSize = (bytes: number): ExecutionRecord => {
  const rest = countRecordBytes(record({ result: '' }));
  return record({ result: 'x'.repeat(bytes - rest) });
};

describe('what is kept of a record', () => {
  it('is all of it up to 256 KiB, however large a field is', () => {
    expect(RECORD_LIMITS).toEqual({ maxRecordBytes: 262_144, maxFieldBytes: 32_768 });
    const largest = recordOfSize(262_144);
    expect(toRetainedRecord(largest)).toBe(largest);
    expect(toRetainedRecord(recordOfSize(262_145))).toEqual(
      record({ result: MARKER, truncated: true }),
    );
  });

  it('above that, is every field up to 32 KiB', () => {
    const kept = { a: formatCallError(32_768 - 6) };
    const dropped = { a: formatCallError(32_768 - 5) };
    expect([countRecordBytes(kept), countRecordBytes(dropped)]).toEqual([32_768, 32_769]);
    const large = record({
      input: dropped,
      result: formatCallError(200_000),
      steps: [
        step({ input: kept, result: kept }),
        step({ input: dropped, result: dropped }),
        step({ result: formatCallError(60_000), status: 'failed', error: 'no' }),
      ],
    });
    expect(toRetainedRecord(large)).toEqual(
      record({
        input: { _truncated: MARKER },
        result: MARKER,
        steps: [
          step({ input: kept, result: kept }),
          step({ input: { _truncated: MARKER }, result: MARKER }),
          step({ result: MARKER, status: 'failed', error: 'no' }),
        ],
        truncated: true,
      }),
    );
  });

  it('is the beginning of an error that is too long', () => {
    const { error } = toRetainedRecord(
      record({ status: 'failed', error: `no ${formatCallError(300_000)}` }),
    );
    expect(error).toMatch(/^no x+\[truncated: payload exceeded retention size limit\]$/);
    expect(countRecordBytes(error)).toBeLessThanOrEqual(32_768);
  });

  it('is smaller fields where many together are too large', () => {
    const steps = Array.from({ length: 100 }, () => step({ result: formatCallError(10_000) }));
    const kept = toRetainedRecord(record({ steps }));
    expect(kept.steps).toHaveLength(100);
    expect(kept.steps[0]?.result).toBe(MARKER);
    expect(countRecordBytes(kept)).toBeLessThanOrEqual(262_144);
  });

  it('is the first and the last steps where there are too many', () => {
    const steps = Array.from({ length: 10_000 }, (_, at) => step({ iteration: at }));
    const kept = toRetainedRecord(record({ steps }));
    expect(countRecordBytes(kept)).toBeLessThanOrEqual(262_144);
    expect(countRecordBytes(kept)).toBeGreaterThan(260_000);
    const numbers = kept.steps.map(({ iteration }) => iteration!);
    expect([numbers[0], numbers.at(-1), kept.truncated]).toEqual([0, 9_999, true]);
    expect([...numbers].sort((left, right) => left - right)).toEqual(numbers);
    expect(kept.omitted_steps).toEqual({
      completed: 10_000 - kept.steps.length,
      failed: 0,
      skipped: 0,
    });
  });

  it('is bounded for what nests too deeply to be written, and for what shares itself', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as never;
    expect(toRetainedRecord(record({ result: deep })).result).toBe(MARKER);
    let shared: readonly unknown[] = ['x'];
    for (let level = 0; level < 60; level += 1) shared = [shared, shared];
    expect(toRetainedRecord(record({ result: shared as never })).result).toBe(MARKER);
  });
});

describe('the number of steps', () => {
  const steps = Array.from({ length: 3_000 }, (_, at) =>
    step({ iteration: at, status: at % 3 === 0 ? 'skipped' : 'completed' }),
  );

  it('counts those that are not kept', () => {
    const kept = toRetainedRecord(record({ steps }));
    expect(kept.steps.length).toBeLessThan(3_000);
    expect(countSteps(kept)).toEqual({ completed: 2_000, failed: 0, skipped: 1_000 });
    expect(toExecutionSummary(kept).step_count).toBe(3_000);
    expect(readStoredSummary('run-1', JSON.stringify(kept))?.step_count).toBe(3_000);
  });

  it('stays when a record loses steps once more', () => {
    const bounds = { maxRecordBytes: 5_000, maxFieldBytes: 1_000 };
    const again = toRetainedRecord(toRetainedRecord(record({ steps })), bounds);
    expect(countSteps(again)).toEqual({ completed: 2_000, failed: 0, skipped: 1_000 });
  });

  it('is that of the steps where all are kept', () => {
    const kept = toRetainedRecord(record({ steps: [step(), step({ status: 'failed' })] }));
    expect(kept.omitted_steps).toBeUndefined();
    expect(countSteps(kept)).toEqual({ completed: 1, failed: 1, skipped: 0 });
  });
});

describe('any record', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const payload = {
    input: fc.dictionary(text, anyJson, { maxKeys: 3 }),
    result: anyJson,
    error: text,
  };
  const anyRecord = fc
    .record({ ...payload, steps: fc.array(fc.record(payload), { maxLength: 30 }) })
    .map((parts) => record({ ...parts, steps: parts.steps.map(step) }));
  const limits = fc.record({
    maxRecordBytes: fc.integer({ min: 1500, max: 8000 }),
    maxFieldBytes: fc.integer({ min: 100, max: 2000 }),
  });

  test('is never kept with more than its bound', fc.tuple(anyRecord, limits), ([of, bounds]) => {
    const kept = toRetainedRecord(of, bounds);
    expect(countRecordBytes(kept)).toBeLessThanOrEqual(bounds.maxRecordBytes);
    expect(kept.truncated ?? false).toBe(countRecordBytes(of) > bounds.maxRecordBytes);
  });

  test('is kept as it is a second time', fc.tuple(anyRecord, limits), ([of, bounds]) => {
    const kept = toRetainedRecord(of, bounds);
    expect(toRetainedRecord(kept, bounds)).toBe(kept);
  });
});
