import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'FORWARDED',
    'JsonScan',
    'PARSED',
    'RawObject',
    'UNPACED_BYTES',
    'changeMembers',
    'countBytes',
    'createLineSplitter',
    'joinText',
    'jsonProblemText',
    'jsonText',
    'keepText',
    'keptText',
    'memberOf',
    'objectText',
    'oneLine',
    'parseJson',
    'scanPaced',
    'textIn',
  ]);
});
