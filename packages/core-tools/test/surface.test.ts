import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () => {
  expect(Object.keys(surface).toSorted()).toEqual([
    'DEFAULT_EVENTS',
    'EVENT_NOTIFICATION',
    'MAX_EVENTS',
    'createCoreTools',
  ]);
});
