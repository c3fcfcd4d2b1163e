import { describe, expect, it } from 'vitest';
import { formatTraceability } from '../src/traceability.ts';

const catalog = { kind: 'packages', name: 'catalog', folder: 'packages/catalog' } as const;

describe('the traceability table', () => {
  it('leads from sections to requirements, owners, sources and tests, and marks what has no test', () => {
    const page = formatTraceability({
      sections: [
        { id: '1.4', title: 'Names', text: 'Names.' },
        { id: '6', title: 'Events', text: 'Events: not shown.' },
      ],
      owned: [
        { id: '1.4/server', text: 'x_<server>_<tool> | more', owner: catalog },
        { id: '1.4/core', text: 'core_*', owner: catalog },
      ],
      notShown: ['6'],
      proofs: [{ id: '1.4/server', file: 'packages/catalog/test/name.test.ts' }],
      citations: [],
      sources: new Map([['1.4/server', ['packages/catalog/src/name.ts']]]),
    });
    expect(page.slice(page.indexOf('2 requirements')))
      .toBe(`2 requirements: 1 proven, 1 without a test.

## §1.4 Names

**catalog**; [src/name.ts](../../packages/catalog/src/name.ts); tests [test/name.test.ts](../../packages/catalog/test/name.test.ts):

- x_&lt;server>_&lt;tool> | more \`1.4/server\`

**catalog**; **no test**:

- core_* \`1.4/core\`

## §6 Events

Left out, and decided in [not-shown.md](not-shown.md).
`);
  });
});
