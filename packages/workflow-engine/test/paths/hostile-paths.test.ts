import { createRequire } from 'node:module';
import type { JsonValue } from '@gateway/crd-schemas';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findByJsonPath } from '../../src/expectations/json-path.ts';
import { queryOf } from './query-of.ts';

const input: JsonValue = { code: 'globalThis.poisoned()', list: [1, 2], map: { a: 1 } };

const HOSTILE_PATHS = [
  '$[?(globalThis.poisoned())]',
  '$..[?(@.constructor.constructor("return 1")())]',
  '$[(globalThis.poisoned())]',
  '$.list[(@.length-1)]',
  '$.a[?(@property.constructor)]',
  '$[?(this.process.exit())]',
  '$.`constructor',
  '$.list^',
  '$.map~',
  '$.list@object()',
];

describe('while everything that turns text into code is replaced', () => {
  const calls: string[] = [];
  const restore: (() => void)[] = [];

  const poison = (owner: object, key: string, name: string): void => {
    const before = Object.getOwnPropertyDescriptor(owner, key);
    Object.defineProperty(owner, key, {
      configurable: true,
      writable: true,
      value: function poisoned(): never {
        calls.push(name);
        throw new Error(`${name} was reached`);
      },
    });
    restore.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, before);
    });
  };

  beforeEach(() => {
    calls.length = 0;
    const { Module } = createRequire(import.meta.url)('node:module') as { Module: object };
    const kinds = [() => 0, async () => 0, function* () {}, async function* () {}];
    for (const kind of kinds) {
      const prototype = Object.getPrototypeOf(kind) as object;
      poison(prototype, 'constructor', `constructor of ${kind.constructor.name}`);
    }
    poison(globalThis, 'eval', 'eval');
    poison(globalThis, 'Function', 'Function');
    poison(globalThis, 'poisoned', 'code of a template');
    poison(Module, '_load', 'the module loader');
  });

  afterEach(() => {
    while (restore.length > 0) restore.pop()?.();
  });

  it('no hostile path is compiled', () => {
    for (const path of HOSTILE_PATHS) expect(queryOf(path), path).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('no search with names of prototypes runs code', () => {
    for (const path of ['$..*', '$.*.constructor', '$["__proto__"]["constructor"]', "$['(1)']"]) {
      const query = queryOf(path);
      if (query !== undefined) findByJsonPath(query, input);
    }
    expect(calls).toEqual([]);
  });
});
