import { describe, expect, it } from 'vitest';
import { findProofs } from '../src/module-facts.ts';

const FILE = 'packages/a/test/a.test.ts';

describe('the proofs of a test file', () => {
  it('are the ids in its calls of requirement(), each once', () => {
    const text = `
      requirement('2.1/a', () => {});
      describe('x', () => { requirement(\`2.1/b\`, () => {}); });
      requirement('2.1/a', () => {});`;
    expect(findProofs(FILE, text)).toEqual([
      { id: '2.1/a', file: FILE },
      { id: '2.1/b', file: FILE },
    ]);
  });

  it('are no comments, no texts, no other functions and no computed ids', () => {
    const text = `
      // requirement('2.1/a', () => {});
      const text = "requirement('2.1/b')";
      other('2.1/c'); requirement(id, () => {}); requirement();`;
    expect(findProofs(FILE, text)).toEqual([]);
  });

  it('are only found in test files', () => {
    expect(findProofs('packages/a/test/table.ts', "requirement('2.1/a', () => {});")).toEqual([]);
  });
});
