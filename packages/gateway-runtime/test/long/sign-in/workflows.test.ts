import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { useNotes } from '../../sign-in/notes-scene.ts';

const scene = useNotes();

/** A gateway with a workflow that needs a tool of a server that users sign in to, and one that runs the first. */
const start = async () => {
  const gateway = await scene.start();
  gateway.directory.workflow('ask', { steps: [{ id: 'only', tool: 'x_notes_whoami' }] });
  gateway.directory.workflow('ask-again', { steps: [{ id: 'only', tool: 'workflow_ask' }] });
  await retryAssertion(async () => {
    const { text } = await gateway.callTool('operator', 'core_workflow_list');
    expect(text).toContain('"ask"');
    expect(text).toContain('"ask-again"');
  });
  const isAvailable = async (user: string, name: string): Promise<unknown> =>
    JSON.parse((await gateway.callTool(user, 'core_workflow_available', { name })).text);
  return { ...gateway, isAvailable };
};

it('the availability of a workflow is that of each user, before and after a sign-in, without a listing before', async () => {
  const { callTool, walk, isAvailable } = await start();
  const missing = ['x_notes_whoami'];
  expect(await isAvailable('ada', 'ask')).toMatchObject({ available: false, missing });
  await walk('ada', 'notes');
  for (const name of ['ask', 'ask-again']) {
    expect(await isAvailable('ada', name)).toMatchObject({ available: true });
    expect(await isAvailable('ben', name)).toMatchObject({ available: false });
  }
  const ran = await callTool('ada', 'workflow_ask-again');
  expect([ran.isError, ran.text]).toEqual([false, expect.stringContaining('ada')]);
  const text = 'workflow ask is not available (missing required tools): x_notes_whoami';
  expect(await callTool('ben', 'workflow_ask')).toMatchObject({ isError: true, text });
});

it('the availability of a workflow is not changed by the listing of another user, and ends with the sign-in', async () => {
  const { listTools, logout, walk, isAvailable } = await start();
  await walk('ada', 'notes');
  expect(await listTools('ada')).toContain('x_notes_whoami');
  expect(await listTools('ben')).toEqual([]);
  expect(await isAvailable('ben', 'ask')).toMatchObject({ available: false });
  expect(await listTools('ben')).toEqual([]);
  expect(await isAvailable('ada', 'ask')).toMatchObject({ available: true });
  await logout('ada', 'notes');
  expect(await isAvailable('ada', 'ask')).toMatchObject({ available: false });
  expect(scene.notes.calls('whoami').filter(({ subject }) => subject !== 'ada')).toEqual([]);
});
