import { createMemoryStore, type StateStore } from '@gateway/state-store';
import { startProtectedServer } from '@gateway/test-peers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useNotes } from '../../sign-in/notes-scene.ts';

let east: Awaited<ReturnType<typeof startProtectedServer>>;
let west: typeof east;
const scene = useNotes();

beforeAll(async () => {
  const options = { issuers: [scene.provider.issuer], scopesSupported: ['mcp'] };
  [east, west] = [await startProtectedServer(options), await startProtectedServer(options)];
  east.addTool('only-east');
});
afterAll(() => Promise.all([east.close(), west.close()]));

const start = (
  expose: 'meta' | 'native' = 'meta',
  stateStore: StateStore = createMemoryStore(),
) => {
  const shared = { auth: { type: 'oauth' }, family: { name: 'region', instanceArg: 'place' } };
  const servers = { east: { url: east.url, ...shared }, west: { url: west.url, ...shared } };
  return scene.start({ servers, expose, stateStore });
};

/** A gateway with two servers of one family. Ada is signed in to the first and ben to the second. */
const startSignedIn = async (store?: StateStore) => {
  const gateway = await start('meta', store);
  await gateway.walk('ada', 'east');
  await gateway.walk('ben', 'west');
  return gateway;
};

it('two users who are signed in to different members of a family reach their own member only', async () => {
  const { callTool } = await startSignedIn();
  const whoami = (user: string, place: string) => callTool(user, 'x_region_whoami', { place });
  expect((await whoami('ada', 'east')).text).toContain('"ada"');
  expect((await whoami('ben', 'west')).text).toContain('"ben"');
  const calls = () => [east, west].map((server) => server.calls('whoami').length);
  const before = calls();
  const hers = await whoami('ada', 'west');
  const his = await whoami('ben', 'east');
  const strangers = await whoami('cleo', 'east');
  expect([hers.isError, his.isError, strangers.isError]).toEqual([true, true, true]);
  const nowhere = await whoami('ada', 'nowhere');
  expect(hers.text).toBe(nowhere.text.replaceAll('nowhere', 'west'));
  expect(strangers.text).toBe('Tool not found: x_region_whoami');
  expect(calls()).toEqual(before);
});

it('a tool that one user has is a missing one for another user with native exposure', async () => {
  const store = createMemoryStore();
  await startSignedIn(store);
  const { call, request } = await start('native', store);
  const listNames = async (user: string): Promise<readonly string[]> => {
    const { tools } = await request(user, 'tools/list');
    return (tools as readonly { readonly name: string }[]).map(({ name }) => name);
  };
  expect(await listNames('ada')).toContain('only-east');
  expect(await listNames('ben')).not.toContain('only-east');
  const args = { place: 'east' };
  expect(await call('ada', 'only-east', args)).toMatchObject({ isError: false });
  const answer = async (name: string): Promise<string> => {
    const outcome = await call('ben', name, args).catch(String);
    return JSON.stringify(outcome).replaceAll(name, 'NAME');
  };
  expect(await answer('only-east')).toBe(await answer('only-else'));
});
