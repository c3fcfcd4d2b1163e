import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () => {
  expect(Object.keys(surface).toSorted()).toEqual([
    'EXPLAIN_KEY',
    'callUnscopedTool',
    'createMetaTools',
    'createNativeSurface',
    'resultSchemas',
  ]);
});
