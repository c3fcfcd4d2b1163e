import { expect, it } from 'vitest';
import { EMPTY_FORM, listAgentChanges } from '../src/pages/agent-wizard/agent-form.ts';

const AGENT = {
  form: { ...EMPTY_FORM, name: 'sre', modelConfig: 'small', description: 'Looks' },
  declared: { access: 'toolset', toolset: ['preset:read-only', 'server:notes'] },
} as const;

it('has no change of an agent that stays as it is', () => {
  expect(listAgentChanges(AGENT, AGENT)).toEqual([]);
});

it('has the fields that differ with both values, and an empty text for none', () => {
  const form = { ...AGENT.form, description: '', runtime: 'go', modelConfig: 'large' };
  expect(listAgentChanges(AGENT, { ...AGENT, form })).toEqual([
    { label: 'Description', before: 'Looks', after: '' },
    { label: 'Model', before: 'small', after: 'large' },
    { label: 'Runtime', before: '', after: 'go' },
  ]);
});

it('has the selectors and skills that are removed and added', () => {
  const skill = { url: 'https://git.example/skills', path: 'runbooks' };
  const declared = {
    access: 'toolset',
    toolset: ['server:notes', 'tool:x', 'tool:__proto__'],
  } as const;
  expect(listAgentChanges(AGENT, { form: { ...AGENT.form, skills: [skill] }, declared })).toEqual([
    {
      label: 'Skills',
      before: '',
      after: 'runbooks (https://git.example/skills · runbooks)',
    },
    { label: 'Toolset', before: 'preset:read-only', after: 'tool:x\ntool:__proto__' },
  ]);
});

it('has no change where the same selectors are in another order', () => {
  const declared = {
    access: 'toolset',
    toolset: ['server:notes', 'preset:read-only'],
  } as const;
  expect(listAgentChanges(AGENT, { ...AGENT, declared })).toEqual([]);
});

it('says that an agent without a toolset loses every other tool', () => {
  const before = { ...AGENT, declared: { access: 'implicit-full' } } as const;
  expect(listAgentChanges(before, AGENT)).toEqual([
    {
      label: 'Toolset',
      before: 'every tool of the gateway (implicit full access)',
      after: 'preset:read-only\nserver:notes',
    },
  ]);
});
