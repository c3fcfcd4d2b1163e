import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import type { SignInGateway } from '../../sign-in/gateway-harness.ts';
import { useNotes } from '../../sign-in/notes-scene.ts';
import { toolsOf, walk } from '../../sign-in/signed-in-user.ts';

const scene = useNotes();
let gateway: SignInGateway;

const call = (user: string, name: string, args: object = {}) => gateway.callTool(user, name, args);

/** A gateway with a workflow that needs a tool of a server that users sign in to, and one that runs the first. */
const start = async (): Promise<void> => {
  gateway = await scene.start();
  gateway.directory.workflow('ask', { steps: [{ id: 'only', tool: 'x_notes_whoami' }] });
  gateway.directory.workflow('ask-again', { steps: [{ id: 'only', tool: 'workflow_ask' }] });
  await retryAssertion(async () => {
    const { text } = await call('operator', 'core_workflow_list');
    expect(text).toContain('"ask"');
    expect(text).toContain('"ask-again"');
  });
};

const availabilityOf = async (user: string, name: string): Promise<unknown> =>
  JSON.parse((await call(user, 'core_workflow_available', { name })).text);

describe('the availability of a workflow', () => {
  it('is that of each user, before and after a sign-in, without a listing before', async () => {
    await start();
    expect(await availabilityOf('ada', 'ask')).toMatchObject({
      available: false,
      missing: ['x_notes_whoami'],
    });
    await walk(gateway, 'ada', 'notes');
    expect(await availabilityOf('ada', 'ask')).toMatchObject({ available: true });
    expect(await availabilityOf('ada', 'ask-again')).toMatchObject({ available: true });
    expect(await availabilityOf('ben', 'ask')).toMatchObject({ available: false });
    expect(await availabilityOf('ben', 'ask-again')).toMatchObject({ available: false });
    const ran = await call('ada', 'workflow_ask-again');
    expect([ran.isError, ran.text]).toEqual([false, expect.stringContaining('ada')]);
    expect(await call('ben', 'workflow_ask')).toMatchObject({
      isError: true,
      text: 'workflow ask is not available (missing required tools): x_notes_whoami',
    });
  });

  it('is not changed by the listing of another user, and ends with the sign-in', async () => {
    await start();
    await walk(gateway, 'ada', 'notes');
    expect(await toolsOf(gateway, 'ada')).toContain('x_notes_whoami');
    expect(await toolsOf(gateway, 'ben')).toEqual([]);
    expect(await availabilityOf('ben', 'ask')).toMatchObject({ available: false });
    expect(await toolsOf(gateway, 'ben')).toEqual([]);
    expect(await availabilityOf('ada', 'ask')).toMatchObject({ available: true });
    await gateway.logout('ada', 'notes');
    expect(await availabilityOf('ada', 'ask')).toMatchObject({ available: false });
    expect(scene.notes.calls('whoami').filter(({ subject }) => subject !== 'ada')).toEqual([]);
  });
});
