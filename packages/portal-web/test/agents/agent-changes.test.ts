import { expect, it } from 'vitest';
import { EMPTY_FORM, listAgentChanges } from '../../src/pages/agent-wizard/agent-form.ts';

type Agent = Parameters<typeof listAgentChanges>[0];

const form = { ...EMPTY_FORM, name: 'sre', modelConfig: 'small', description: 'Looks' };
const withToolset = (...toolset: readonly string[]): Agent => ({
  form,
  declared: { access: 'toolset', toolset },
});
const AGENT = withToolset('preset:read-only', 'server:notes');

it.each<[string, Agent, Agent, readonly (readonly [string, string, string])[]]>([
  ['has no change of an agent that stays as it is', AGENT, AGENT, []],
  [
    'has the fields that differ with both values, and an empty text for none',
    AGENT,
    { ...AGENT, form: { ...form, description: '', runtime: 'go', modelConfig: 'large' } },
    [
      ['Description', 'Looks', ''],
      ['Model', 'small', 'large'],
      ['Runtime', '', 'go'],
    ],
  ],
  [
    'has the selectors and skills that are removed and added',
    AGENT,
    {
      ...withToolset('server:notes', 'tool:x', 'tool:__proto__'),
      form: { ...form, skills: [{ url: 'https://git.example/skills', path: 'runbooks' }] },
    },
    [
      ['Skills', '', 'runbooks (https://git.example/skills · runbooks)'],
      ['Toolset', 'preset:read-only', 'tool:x\ntool:__proto__'],
    ],
  ],
  [
    'has no change where the same selectors are in another order',
    AGENT,
    withToolset('server:notes', 'preset:read-only'),
    [],
  ],
  [
    'says that an agent without a toolset loses every other tool',
    { form, declared: { access: 'implicit-full' } },
    AGENT,
    [
      [
        'Toolset',
        'every tool of the gateway (implicit full access)',
        'preset:read-only\nserver:notes',
      ],
    ],
  ],
])('%s', (_rule, before, after, changes) => {
  const expected = changes.map(([label, from, to]) => ({ label, before: from, after: to }));
  expect(listAgentChanges(before, after)).toEqual(expected);
});
