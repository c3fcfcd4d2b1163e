import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('repo-checks exports requirementsOf, and types', () => {
  expect(Object.keys(surface).sort()).toEqual(['requirementsOf']);
});
