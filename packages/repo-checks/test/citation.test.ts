import { describe, expect, it } from 'vitest';
import { findCitations } from '../src/requirement-sources.ts';

describe('the citations of a file', () => {
  it('are the sections of its @spec tags, each once', () => {
    const text = '/** The cap. @spec §2.1, §8 */\n/**\n * More.\n * @spec §2.1\n */';
    expect(findCitations('a.ts', text)).toEqual([
      { section: '2.1', file: 'a.ts' },
      { section: '8', file: 'a.ts' },
    ]);
  });

  it('have the id of a requirement where the tag has one', () => {
    expect(findCitations('a.ts', '/** @spec §7.1 7.1/too-many, §8 */')).toEqual([
      { section: '7.1', id: '7.1/too-many', file: 'a.ts' },
      { section: '8', file: 'a.ts' },
    ]);
  });

  it('leave out sections of other documents and sections outside of tags', () => {
    expect(
      findCitations(
        'a.ts',
        '// see §9\n/** @spec RFC 8693 §2.1; §2.6 auth; Semantic Versioning §11 */',
      ),
    ).toEqual([{ section: '2.6', file: 'a.ts' }]);
  });
});
