import { describe, expect, it } from 'vitest';
import { InFlightMap } from '../src/index.ts';

describe('a table of entries in flight', () => {
  it('stores a value under its key until it is removed', () => {
    const table = new InFlightMap<string | number, string>();
    table.set('a', 'one');
    table.set(1, 'two');
    table.set('__proto__', 'three');
    expect([table.get('a'), table.get(1), table.get('1'), table.get('__proto__')]).toEqual([
      'one',
      'two',
      undefined,
      'three',
    ]);
    expect([table.delete('a'), table.delete('a'), table.has('a'), table.size]).toEqual([
      true,
      false,
      false,
      2,
    ]);
    expect(table.values()).toEqual(['two', 'three']);
  });

  it('reuses the slot of a removed value', () => {
    const table = new InFlightMap<number, string>();
    for (const key of [1, 2, 3]) table.set(key, `value ${key}`);
    table.delete(2);
    table.set(4, 'value 4');
    table.set(1, 'another');
    expect([table.get(1), table.get(3), table.get(4), table.size]).toEqual([
      'another',
      'value 3',
      'value 4',
      3,
    ]);
    table.clear();
    expect([table.size, table.values(), table.get(3)]).toEqual([0, [], undefined]);
  });
});
