import { expect, it } from 'vitest';
import { findSmallestPreset } from '../../src/pages/agents/agent-usage.tsx';

const PRESETS = [
  { name: 'full', tools: ['a', 'b', 'c', 'd'] },
  { name: 'reading', tools: ['a', 'b', 'c'] },
  { name: 'one', tools: ['a'] },
  { name: 'none', tools: [] },
];

it.each([
  [['a', 'c'], 'reading'],
  [['a'], 'one'],
  [['d'], 'full'],
  [['a', 'gone'], undefined],
])('of %o the smallest preset is %s', (used, name) => {
  expect(findSmallestPreset(used, PRESETS)?.name).toBe(name);
});
