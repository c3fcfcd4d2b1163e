import { describe, expect, it } from 'vitest';
import { parsePresetRules } from '../../src/pages/presets/preset-facts.tsx';

const ANSWER = {
  toolsetPresets: {
    notes: {
      include: [
        { server: 'notes' },
        { tool: 'x_a_b' },
        { workflow: 'report' },
        { label: 'example.com/pipeline=testing' },
        { preset: 'observe' },
        { readOnly: true },
      ],
      exclude: [{ pattern: '*_delete_*' }],
    },
    torn: 'text',
  },
};

describe('the rules of a preset', () => {
  it('are sentences about what it includes and what it leaves out', () => {
    expect(parsePresetRules(ANSWER, 'notes')).toEqual({
      include: [
        { text: 'every tool of the server', subject: 'notes' },
        { text: 'the tool', subject: 'x_a_b' },
        { text: 'the workflow', subject: 'report' },
        { text: 'every tool of servers with the label', subject: 'example.com/pipeline=testing' },
        { text: 'everything of the preset', subject: 'observe', preset: 'observe' },
        { text: 'every tool that declares itself read-only' },
      ],
      exclude: [{ text: 'every tool whose name matches', subject: '*_delete_*' }],
    });
  });

  it.each([
    ['read-only', [{ text: 'every tool that declares itself read-only' }]],
    ['none', []],
    ['full', [{ text: 'every tool of the gateway' }]],
  ])('%s is known without a configuration', (name, include) => {
    expect(parsePresetRules({}, name)).toEqual({ include, exclude: [] });
  });

  it.each(['unknown', 'torn', 'constructor', '__proto__'])('%s has none', (name) => {
    expect(parsePresetRules(ANSWER, name)).toBe(undefined);
  });

  it('of a kind that the portal does not know are shown as they are written', () => {
    const answer = { toolsetPresets: { new: { include: [{ team: ['a'] }, {}] } } };
    expect(parsePresetRules(answer, 'new')?.include).toEqual([
      { text: 'team', subject: '["a"]' },
      { text: '' },
    ]);
  });
});
