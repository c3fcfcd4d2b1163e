import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defineRequirements, type Requirements } from '../src/index.ts';

// region example
const requirements = {
  '2.1/max-inline': 'At most 32 selectors inline.',
} as const satisfies Requirements;
// endregion

it('the list in the README is a list of requirements', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const source = await readFile(import.meta.filename, 'utf8');
  const example = /\/\/ region example\n(?<code>[^]*?)\/\/ endregion/.exec(source)?.groups?.[
    'code'
  ];
  expect(readme).toContain(example?.trimEnd());
  expect(defineRequirements(requirements)).toBeTypeOf('function');
});
