import { expect, it } from 'vitest';
import { parseArguments, validateToolNames } from '../../src/index.ts';
import { requirement } from '../requirement.ts';

requirement('7.5/tool-names', () => {
  it.each([[['list_tools']], [[]], ['list_tools'], [''], [false], [0], [{}]])(
    'refuses %j',
    (toolNames) =>
      expect(validateToolNames(toolNames)).toMatch(
        /^toolNames never narrowed anything against the gateway \(the runtime filters the gateway's meta-tools only\);/,
      ),
  );
  it.each([[undefined], [null]])('treats %j as absent', (toolNames) =>
    expect(validateToolNames(toolNames)).toBeUndefined(),
  );
});

requirement('7.5/tool-names-hint', () => {
  it('ends with an example', () =>
    expect(validateToolNames([])).toBe(
      'toolNames never narrowed anything against the gateway (the runtime filters the gateway\'s meta-tools only); declare a toolset instead, e.g. toolset: ["preset:read-only"]',
    ));
});

requirement('4.4/tool-names-removed', () => {
  it.each([['create_agent'], ['update_agent'], ['validate_agent']] as const)(
    'lets %s tell of it, whatever it is',
    (name) =>
      expect(parseArguments(name, { toolNames: [5, { deep: [] }] })).toEqual({
        ok: true,
        value: { toolNames: [5, { deep: [] }] },
      }),
  );
  it('ignores null', () =>
    expect(parseArguments('create_agent', { toolNames: null })).toEqual({ ok: true, value: {} }));
  it('accepts it nowhere else', () =>
    expect(parseArguments('list_agents', { toolNames: [] })).toMatchObject({
      error: { message: 'invalid request: unknown field "toolNames"' },
    }));
});
