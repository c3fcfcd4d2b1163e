import { describe, expect, it } from 'vitest';
import type { RequirementFacts } from '../src/requirement-facts.ts';
import { findRequirementProblems } from '../src/requirement-problems.ts';
import type { Member } from '../src/repository-files.ts';

const catalog: Member = { kind: 'packages', name: 'catalog', folder: 'packages/catalog' };
const downstream: Member = { kind: 'packages', name: 'downstream', folder: 'packages/downstream' };
const gateway: Member = { kind: 'apps', name: 'gateway', folder: 'apps/gateway' };

const section = (id: string, text = 'Text.') => ({ id, title: 'Title', text });
const own = (id: string, owner: Member) => ({ id, text: 'A sentence.', owner });

/** Facts without a problem; each test changes what it names. */
const SOUND: RequirementFacts = {
  sections: [section('1.4'), section('2.8'), section('6', 'Events: not shown.')],
  owned: [own('1.4/names', catalog)],
  notShown: ['2.8', '6'],
  proofs: [{ id: '1.4/names', file: 'packages/catalog/test/a.test.ts' }],
  citations: [
    { section: '1.4', file: 'packages/catalog/src/a.ts' },
    { section: '2', file: 'packages/catalog/src/a.ts' },
  ],
  sources: new Map([['1.4/names', ['packages/catalog/src/a.ts']]]),
};

const problems = (changes: Partial<RequirementFacts>): readonly string[] =>
  findRequirementProblems({ ...SOUND, ...changes });

describe('the requirements gate', () => {
  it('is silent when every section is owned and proven, or not shown', () => {
    expect(problems({})).toEqual([]);
  });

  it('refuses an id that two packages own', () => {
    expect(
      problems({
        owned: [...SOUND.owned, own('1.4/names', downstream)],
        proofs: [...SOUND.proofs, { id: '1.4/names', file: 'packages/downstream/test/a.test.ts' }],
      }),
    ).toEqual(['1.4/names is owned by packages/catalog and packages/downstream: keep one']);
  });

  it('refuses a requirement in an app', () => {
    expect(
      problems({
        owned: [...SOUND.owned, own('1.4/more', gateway)],
        proofs: [...SOUND.proofs, { id: '1.4/more', file: 'apps/gateway/test/a.test.ts' }],
        sources: new Map([...SOUND.sources, ['1.4/more', ['apps/gateway/src/a.ts']]]),
      }),
    ).toEqual(['apps/gateway owns 1.4/more: apps compose and own no requirement']);
  });

  it('refuses a requirement without a test', () => {
    expect(problems({ proofs: [] })).toEqual([
      "packages/catalog owns 1.4/names, and no test of it calls requirement('1.4/names', ...)",
    ]);
  });

  it('refuses a requirement without a source', () => {
    expect(problems({ sources: new Map() })).toEqual([
      'packages/catalog owns 1.4/names, and its proofs use no source: cite it by `@spec §1.4 1.4/names`',
    ]);
  });

  it('refuses a citation of a requirement that no package owns', () => {
    const file = 'packages/catalog/src/a.ts';
    expect(problems({ citations: [{ section: '1.4', id: '1.4/names', file }] })).toEqual([]);
    expect(problems({ citations: [{ section: '1.4', id: '1.4/other', file }] })).toEqual([
      'packages/catalog/src/a.ts cites 1.4/other, which no package owns',
    ]);
  });

  it('refuses a proof in another package, which leaves the owner without one', () => {
    expect(
      problems({ proofs: [{ id: '1.4/names', file: 'packages/downstream/test/a.test.ts' }] }),
    ).toEqual([
      "packages/catalog owns 1.4/names, and no test of it calls requirement('1.4/names', ...)",
      'packages/downstream/test/a.test.ts proves 1.4/names, which its package does not own',
    ]);
  });

  it('refuses an id in a section that the spec does not have', () => {
    expect(
      problems({
        owned: [...SOUND.owned, own('2.99/x', catalog)],
        proofs: [...SOUND.proofs, { id: '2.99/x', file: 'packages/catalog/test/a.test.ts' }],
        sources: new Map([...SOUND.sources, ['2.99/x', ['packages/catalog/src/a.ts']]]),
      }),
    ).toEqual(['2.99/x names §2.99, which the spec does not have']);
  });

  it('refuses a citation of a section that the spec does not have', () => {
    expect(problems({ citations: [{ section: '12', file: 'packages/catalog/src/a.ts' }] })).toEqual(
      ['packages/catalog/src/a.ts cites §12, which the spec does not have'],
    );
  });

  it('refuses a section without a requirement', () => {
    expect(problems({ notShown: ['6'] })).toEqual(['§2.8 has no requirement']);
  });

  it('refuses a gap of the spec without an answer, even in a covered section', () => {
    expect(
      problems({
        notShown: ['2.8'],
        owned: [...SOUND.owned, own('6/core-events', catalog)],
        proofs: [...SOUND.proofs, { id: '6/core-events', file: 'packages/catalog/test/a.test.ts' }],
        sources: new Map([...SOUND.sources, ['6/core-events', ['packages/catalog/src/a.ts']]]),
      }),
    ).toEqual(['§6 leaves something out, and docs/spec/not-shown.md does not say what was chosen']);
  });
});
