import { expect, it } from 'vitest';
import { catalogInput } from '../catalog-input.ts';
import { callOf, listNames, nativeHarness } from './native-harness.ts';

const SIGN_IN_TOOLS = ['core_auth_login', 'core_auth_logout'] as const;

const input = {
  ...catalogInput,
  coreTools: [
    ...catalogInput.coreTools,
    ...SIGN_IN_TOOLS.map((name) => ({
      name,
      description: 'Sign in or out',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: false, destructiveHint: false },
    })),
  ],
};

const coreTools = (harness: ReturnType<typeof nativeHarness>): readonly unknown[] =>
  listNames(harness, 'tools/list').filter((name) => String(name).startsWith('core_'));

it('lists and calls the tools to sign in to servers, and no other core tools, while a server signs users in', async () => {
  let isUsed = false;
  const harness = nativeHarness({ input, signsUsersIn: () => isUsed });
  expect(coreTools(harness)).toEqual([]);
  const call = { name: 'core_auth_login', arguments: { server: 'wiki' } };
  expect(await callOf(harness, 'tools/call', call)).toMatchObject({ ok: false });
  isUsed = true;
  expect(coreTools(harness)).toEqual(SIGN_IN_TOOLS);
  expect(await callOf(harness, 'tools/call', call)).toMatchObject({ ok: true });
  expect(harness.calls).toMatchObject([{ port: 'callCoreTool' }]);
  const stop = { name: 'core_service_stop', arguments: {} };
  expect(await callOf(harness, 'tools/call', stop)).toMatchObject({ ok: false });
});

it('lists the tools to sign in under a toolset only when the toolset selects them', () => {
  const harness = nativeHarness({ input, signsUsersIn: () => true });
  expect(listNames(harness, 'tools/list', 'server:wiki')).not.toContain('core_auth_login');
  expect(listNames(harness, 'tools/list', 'tool:core_auth_login')).toEqual(['core_auth_login']);
});
