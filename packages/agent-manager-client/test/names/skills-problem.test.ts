import { describe, expect, it } from 'vitest';
import { skillsProblem } from '../../src/arguments/skills-problem.ts';

describe('skills from Git', () => {
  it('require an address that is not blank', () =>
    expect(skillsProblem({ gitRefs: [{ url: 'https://git/a' }, { url: ' ' }] })).toBe(
      'skills.gitRefs[1].url is required',
    ));

  it('may be left out', () => {
    expect(skillsProblem(undefined)).toBeUndefined();
    expect(skillsProblem({ refs: ['a'] })).toBeUndefined();
    expect(skillsProblem({ gitRefs: [{ url: 'https://git/a', path: '' }] })).toBeUndefined();
  });
});
