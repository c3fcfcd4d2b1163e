import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { createCacheLimit } from '../src/storage/state.ts';

it('has at most this number of values, and evicts the least recently used one', () => {
  const cache = new LRUCache<string, string>(createCacheLimit(2));
  cache.set('a', '1');
  cache.set('b', '2');
  expect(cache.get('a')).toBe('1');
  cache.set('c', '3');
  expect([...cache.keys()]).toEqual(['c', 'a']);
});
