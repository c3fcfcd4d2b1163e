import { describe, expect, it } from 'vitest';
import type { RequirementFacts } from '../src/requirement-facts.ts';
import { findRequirementProblems } from '../src/requirement-problems.ts';
import type { Member } from '../src/repository-files.ts';

const catalog: Member = { kind: 'packages', name: 'catalog', folder: 'packages/catalog' };
const downstream: Member = { kind: 'packages', name: 'downstream', folder: 'packages/downstream' };
const gateway: Member = { kind: 'apps', name: 'gateway', folder: 'apps/gateway' };

const section = (id: string, text = 'Text.') => ({ id, title: 'Title', text });
const own = (id: string, owner: Member) => ({ id, text: 'A sentence.', owner });

const CATALOG = 'packages/catalog/src/a.ts';
const proof = (id: string, folder = 'packages/catalog') => ({
  id,
  file: `${folder}/test/a.test.ts`,
});

/** Facts without a problem; each test changes what it names. */
const SOUND: RequirementFacts = {
  sections: [section('1.4'), section('2.8'), section('6', 'Events: not shown.')],
  owned: [own('1.4/names', catalog)],
  notShown: ['2.8', '6'],
  proofs: [proof('1.4/names')],
  citations: [
    { section: '1.4', file: CATALOG },
    { section: '2', file: CATALOG },
  ],
  sources: new Map([['1.4/names', [CATALOG]]]),
};

/** Another requirement, with a proof and a source. */
const more = (id: string, owner: Member): Partial<RequirementFacts> => ({
  owned: [...SOUND.owned, own(id, owner)],
  proofs: [...SOUND.proofs, proof(id, owner.folder)],
  sources: new Map([...SOUND.sources, [id, [`${owner.folder}/src/a.ts`]]]),
});

const UNPROVEN =
  "packages/catalog owns 1.4/names, and no test of it calls requirement('1.4/names', ...)";

describe('the requirements gate', () => {
  it.each<[what: string, changes: Partial<RequirementFacts>, problems: readonly string[]]>([
    ['is silent when every section is owned and proven, or not shown', {}, []],
    [
      'refuses an id that two packages own',
      more('1.4/names', downstream),
      ['1.4/names is owned by packages/catalog and packages/downstream: keep one'],
    ],
    [
      'refuses a requirement in an app',
      more('1.4/more', gateway),
      ['apps/gateway owns 1.4/more: apps compose and own no requirement'],
    ],
    ['refuses a requirement without a test', { proofs: [] }, [UNPROVEN]],
    [
      'refuses a requirement without a source',
      { sources: new Map() },
      [
        'packages/catalog owns 1.4/names, and its proofs use no source: cite it by `@spec §1.4 1.4/names`',
      ],
    ],
    [
      'accepts a citation of a requirement',
      { citations: [{ section: '1.4', id: '1.4/names', file: CATALOG }] },
      [],
    ],
    [
      'refuses a citation of a requirement that no package owns',
      { citations: [{ section: '1.4', id: '1.4/other', file: CATALOG }] },
      ['packages/catalog/src/a.ts cites 1.4/other, which no package owns'],
    ],
    [
      'refuses a proof in another package, which leaves the owner without one',
      { proofs: [proof('1.4/names', 'packages/downstream')] },
      [
        UNPROVEN,
        'packages/downstream/test/a.test.ts proves 1.4/names, which its package does not own',
      ],
    ],
    [
      'refuses an id in a section that the spec does not have',
      more('2.99/x', catalog),
      ['2.99/x names §2.99, which the spec does not have'],
    ],
    [
      'refuses a citation of a section that the spec does not have',
      { citations: [{ section: '12', file: CATALOG }] },
      ['packages/catalog/src/a.ts cites §12, which the spec does not have'],
    ],
    ['refuses a section without a requirement', { notShown: ['6'] }, ['§2.8 has no requirement']],
    [
      'refuses a gap of the spec without an answer, even in a covered section',
      { notShown: ['2.8'], ...more('6/core-events', catalog) },
      ['§6 leaves something out, and docs/spec/not-shown.md does not say what was chosen'],
    ],
  ])('%s', (_what, changes, problems) => {
    expect(findRequirementProblems({ ...SOUND, ...changes })).toEqual(problems);
  });
});
