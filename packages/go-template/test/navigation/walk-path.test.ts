import { describe, expect, it } from 'vitest';
import { parsePath } from '../../src/syntax/parse-path.ts';
import type { JsonValue } from '../../src/values/json-value.ts';
import { formatNearestKeys, walkPath } from '../../src/values/walk-path.ts';
import { anyJson, fc, test } from '../fast-check.ts';

const walk = (value: JsonValue, text: string): unknown => {
  const parsed = parsePath(text);
  if (!parsed.ok || parsed.value.kind !== 'steps') throw new Error(`no path of steps: ${text}`);
  const walked = walkPath(value, parsed.value.steps, parsed.value.written);
  return walked.ok ? walked.value : walked.error;
};

const pod = {
  items: [{ name: 'a', ports: [80, 443] }, { name: 'b' }],
  'my-id': { x: null },
  labels: { 'app.io/name': 'web' },
  count: 0,
};

describe('a path', () => {
  it.each([
    ['items[0].name', 'a'],
    ['.items[0].ports[1]', 443],
    ['my-id.x', null],
    ['labels["app.io/name"]', 'web'],
    ['count', 0],
    ['items[1]', { name: 'b' }],
  ])('%s leads to its value', (path, value) => {
    expect(walk(pod, path)).toEqual(value);
  });

  it.each([
    ['items[2].name', "index 2 out of range in path 'items[2].name'"],
    ['items.name', "cannot access 'name' in path 'items.name': not an object"],
    ['items.length', "cannot access 'length' in path 'items.length': not an object"],
    ['count.x', "cannot access 'x' in path 'count.x': not an object"],
    ['my-id.x.y', "cannot access 'y' in path 'my-id.x.y': not an object"],
    ['labels[0]', "cannot index '[0]' in path 'labels[0]': not an array"],
    [
      'items[0].nmae',
      'path \'items[0].nmae\' not found: map has no entry for key "nmae"; nearest keys: "name", "ports"',
    ],
    [
      'labels.app',
      'path \'labels.app\' not found: map has no entry for key "app"; nearest key: "app.io/name"',
    ],
    [
      'constructor',
      'path \'constructor\' not found: map has no entry for key "constructor"; nearest keys: "count", "items", "labels"',
    ],
    [
      '__proto__.x',
      'path \'__proto__.x\' not found: map has no entry for key "__proto__"; nearest keys: "count", "items", "labels"',
    ],
  ])('%s leads nowhere', (path, text) => {
    expect(walk(pod, path)).toBe(text);
  });

  it('has a text of bounded length, however long its parts are', () => {
    const text = walkPath(
      {},
      [{ kind: 'key', key: 'x'.repeat(10_000_000) }],
      'x'.repeat(10_000_000),
    );
    expect(text.ok ? 0 : text.error.length).toBeLessThan(1000);
  });

  test(
    'finds what is under any keys',
    fc.tuple(fc.array(fc.string(), { maxLength: 5 }), anyJson),
    ([keys, value]) => {
      const nested = keys.reduceRight<JsonValue>(
        (inner, key) => Object.fromEntries([[key, inner]]),
        value,
      );
      expect(
        walkPath(
          nested,
          keys.map((key) => ({ kind: 'key', key })),
          'any',
        ),
      ).toEqual({ ok: true, value });
    },
  );

  test('never finds what is not own', anyJson, (value) => {
    for (const key of ['hasOwnProperty', 'isPrototypeOf', 'push', 'charAt', 'toFixed']) {
      expect(walkPath(value, [{ kind: 'key', key }], key).ok).toBe(
        typeof value === 'object' &&
          value !== null &&
          !Array.isArray(value) &&
          Object.hasOwn(value, key),
      );
    }
  });
});

describe('the nearest keys', () => {
  it.each([
    ['nmae', ['age', 'name', 'names'], 'nearest keys: "name", "names", "age"'],
    ['NAME', ['name', 'mane'], 'nearest keys: "name", "mane"'],
    ['podname', ['podName', 'pod', 'node', 'x'], 'nearest keys: "podName", "node", "pod"'],
    ['b', ['a'], 'nearest key: "a"'],
    ['b', [], 'it has no keys'],
    ['x', ['a"b\n'], 'nearest key: "a\\"b\\n"'],
  ])('of %s in %j', (wanted, keys, text) => {
    expect(formatNearestKeys(keys, wanted)).toBe(text);
  });

  it('come from the first 256 and are shown in part when they are long', () => {
    const keys = Array.from({ length: 1_000_000 }, (_unused, at) => `key-${at}`);
    expect(formatNearestKeys(keys, 'key-999999')).toBe(
      'nearest keys: "key-199", "key-99", "key-109"',
    );
    expect(formatNearestKeys(['y'.repeat(10_000)], 'y')).toBe(
      `nearest key: "${'y'.repeat(64)}..."`,
    );
  });
});
