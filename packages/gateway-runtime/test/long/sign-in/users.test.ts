import { retryAssertion } from '@gateway/repo-checks';
import { createMemoryStore, type StateStore } from '@gateway/state-store';
import { createTestUser, signIn } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import type { SignInGateway } from '../../sign-in/gateway-harness.ts';
import { useNotes } from '../../sign-in/notes-scene.ts';
import { toolsOf, walk, whoami } from '../../sign-in/signed-in-user.ts';

const scene = useNotes();

describe('users', () => {
  it('see and use only what they signed in to themselves', async () => {
    const gateway = await scene.start();
    await walk(gateway, 'ada', 'notes');
    expect(await toolsOf(gateway, 'ada')).toContain('x_notes_whoami');
    expect(await toolsOf(gateway, 'ben')).toEqual([]);
    expect((await whoami(gateway, 'ben', 'notes')).text).toBe('Tool not found: x_notes_whoami');
    expect((await whoami(gateway, 'ada', 'notes')).text).toContain('ada');
    await walk(gateway, 'ben', 'notes');
    expect((await whoami(gateway, 'ben', 'notes')).text).toContain('ben');
    expect((await whoami(gateway, 'ada', 'notes')).text).toContain('ada');
  });
});

describe('a toolset that names a signed-out server', () => {
  it('lets a call answer that sign-in is required, with the link', async () => {
    const gateway = await scene.start();
    const toolset = 'server:notes';
    const refused = await gateway.callTool('dora', 'x_notes_whoami', {}, toolset);
    expect(refused.isError).toBe(true);
    const link = /open (\S+) and call the tool again$/u.exec(refused.text)?.[1] ?? '';
    expect((await signIn(link, createTestUser('dora'))).status).toBe(200);
    await retryAssertion(async () => {
      const { text } = await gateway.callTool('dora', 'x_notes_whoami', {}, toolset);
      expect(text).toContain('dora');
    });
    const { text } = await gateway.call('elsa', 'filter_tools', { toolset: [toolset] });
    expect(JSON.parse(text)).toMatchObject({
      toolset_unmatched: [toolset],
      toolset_requiring_auth: [toolset],
    });
  });
});

describe('gateways that share a store', () => {
  const shared = (store: StateStore): Promise<SignInGateway> => scene.start({ stateStore: store });

  it('serve a user who signed in at another one', async () => {
    const store = createMemoryStore();
    const [first, second] = await Promise.all([shared(store), shared(store)]);
    await walk(first, 'finn', 'notes');
    await retryAssertion(async () => {
      expect((await whoami(second, 'finn', 'notes')).text).toContain('finn');
    });
    await store.close();
  });
});
