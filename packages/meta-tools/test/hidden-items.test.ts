import { describe, expect, it } from 'vitest';
import { resulting, under } from './harness.ts';
import { CASES, header, serverOf, snapshotOf } from './hidden-items.ts';
import { callOf, nativeHarness } from './native/native-harness.ts';

describe('a caller with a toolset', () => {
  it.each(CASES)('gets one answer for a hidden and a missing item: $what', async (one) => {
    const request = one.send();
    const answerFor = async (server: 'hidden' | 'absent'): Promise<string> => {
      const name = one.nameOf(server, 7);
      return JSON.stringify(await request(name)).replaceAll(name, 'NAME');
    };
    const answer = await answerFor('hidden');
    expect(answer).toBe(await answerFor('absent'));
    expect(answer).toContain('is outside the toolset [server:inside]');
  });

  it.each(['x_hidden_t7', 'x_absent_t7'])(
    'causes one search among the servers that require sign-in by a call of %s',
    async (name) => {
      const parts = { snapshotOf: () => snapshotOf(serverOf('inside'), serverOf('hidden')) };
      const { call, harness } = under(header, parts);
      await call(name);
      expect(harness.lookUps.serversRequiringAuth).toBe(1);
      const native = nativeHarness(parts);
      await callOf(native, 'tools/call', { name }, { header });
      expect(native.lookUps.serversRequiringAuth).toBe(1);
    },
  );

  it('reads a URI through a template inside the toolset, whether a hidden server lists it or not', async () => {
    const inside = { ...serverOf('inside'), resourceTemplates: [{ uriTemplate: 'any://{part}' }] };
    const outside = { ...serverOf('hidden'), resources: [{ uri: 'any://listed' }] };
    const both = snapshotOf(inside, outside);
    for (const uri of ['any://listed', 'any://missing']) {
      const parts = { snapshotOf: () => both, ...resulting({ contents: [] }) };
      const { answer, calls } = under(header, parts);
      await answer('get_resource', { uri });
      expect(calls()).toEqual([['readResource', { server: 'inside', uri }]]);
      const native = nativeHarness({ snapshotOf: () => both });
      await callOf(native, 'resources/read', { uri }, { header });
      expect(native.calls.map(({ call }) => call)).toEqual([{ server: 'inside', uri }]);
    }
  });
});
