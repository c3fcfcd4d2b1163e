import { startProtectedServer } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import { closeAtEnd } from './gateway-harness.ts';
import { useNotes } from './notes-scene.ts';

const scene = useNotes();

/** A gateway without the sign-in of callers, with a server that users sign in to and one without. */
const start = async () => {
  const weather = await closeAtEnd(startProtectedServer());
  const notes = { url: scene.notes.url, auth: { type: 'oauth' } };
  return scene.start({ hasCallers: false, servers: { notes, weather: { url: weather.url } } });
};

it('a server without sign-in works before, during and after the sign-in to another one', async () => {
  const { callTool, listTools, logout, startLogin, walk } = await start();
  const isServed = async () =>
    !(await callTool(undefined, 'x_weather_echo', { text: 'sun' })).isError;
  await expect.poll(() => listTools()).toContain('x_weather_echo');
  expect(await isServed()).toBe(true);
  for (const step of [startLogin, walk, logout]) {
    await step(undefined, 'notes');
    expect(await isServed()).toBe(true);
  }
  expect(await listTools()).toContain('x_weather_echo');
});

it('the restart of a server that users sign in to requires authentication, and leaves the sign-in of the caller', async () => {
  const { callTool, walk, whoami } = await start();
  const restart = () => callTool(undefined, 'core_service_restart', { name: 'notes' });
  const text = `Service 'notes' requires authentication; sign in with core_auth_login(server="notes")`;
  expect(await restart()).toMatchObject({ isError: false, text });
  await walk(undefined, 'notes');
  expect((await restart()).text).toContain('requires authentication');
  expect((await whoami(undefined, 'notes')).text).toContain('"somebody"');
});

it('two sessions without the sign-in of callers are one user, who is signed in in both', async () => {
  const { openSession, walk } = await start();
  const sessions = [await openSession(), await openSession()];
  const params = { name: 'call_tool', arguments: { name: 'x_notes_whoami', arguments: {} } };
  for (const { send } of sessions) expect(await send('tools/call', params)).toContain('not found');
  await walk(undefined, 'notes');
  for (const { send } of sessions) expect(await send('tools/call', params)).toContain('somebody');
});
