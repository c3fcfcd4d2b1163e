import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([]);
});
