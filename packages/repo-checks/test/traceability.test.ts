import { describe, expect, it } from 'vitest';
import { traceabilityTable } from '../src/traceability.ts';

const catalog = { kind: 'packages', name: 'catalog', folder: 'packages/catalog' } as const;

describe('the traceability table', () => {
  it('leads from sections to requirements, owners, sources and tests, and marks what is open', () => {
    const page = traceabilityTable({
      sections: [
        { id: '1.4', title: 'Names', text: 'Names.' },
        { id: '6', title: 'Events', text: 'Events: not shown.' },
      ],
      owned: [
        { id: '1.4/server', text: 'x_<server>_<tool> | more', owner: catalog },
        { id: '1.4/core', text: 'core_*', owner: catalog },
      ],
      open: [{ id: '6/core-events', text: 'core_events reads.', owner: 'core-tools' }],
      notShown: ['6'],
      proofs: [{ id: '1.4/server', file: 'packages/catalog/test/name.test.ts' }],
      citations: [],
      sources: new Map([['1.4/server', ['packages/catalog/src/name.ts']]]),
    });
    expect(page.slice(page.indexOf('3 requirements')))
      .toBe(`3 requirements: 1 proven, 1 without a test, 1 open.

## §1.4 Names

| Requirement | Id | Owner | Sources | Tests |
|---|---|---|---|---|
| x_&lt;server>_&lt;tool> \\| more | \`1.4/server\` | catalog | [catalog/src/name.ts](../../packages/catalog/src/name.ts) | [catalog/test/name.test.ts](../../packages/catalog/test/name.test.ts) |
| core_* | \`1.4/core\` | catalog |  | **no test** |

## §6 Events

| Requirement | Id | Owner | Sources | Tests |
|---|---|---|---|---|
| core_events reads. | \`6/core-events\` | core-tools |  | **open** |

What the section leaves out is answered in [not-shown.md](not-shown.md).
`);
  });
});
