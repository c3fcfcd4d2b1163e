import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('repo-checks exports these values, and types', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'BUNDLED_PROGRAM',
    'createTestConfigDirectory',
    'defineRequirements',
    'installStepHalts',
    'refuseLinks',
    'retryAssertion',
  ]);
});
