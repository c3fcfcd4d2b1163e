import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { movedClock } from '../../sign-in/moved-clock.ts';
import { useNotes } from '../../sign-in/notes-scene.ts';
import { walk, whoami } from '../../sign-in/signed-in-user.ts';

const scene = useNotes({ accessTokenSeconds: 600 });

it('a token of a user with less than 5 minutes left is refreshed without a failed call', async () => {
  const move = movedClock();
  const gateway = await scene.start();
  const { notes, provider } = scene;
  await walk(gateway, 'ada', 'notes');
  const call = async (): Promise<void> => {
    const answer = await whoami(gateway, 'ada', 'notes');
    expect([answer.isError, answer.text]).toEqual([false, expect.stringContaining('"ada"')]);
  };
  await call();
  move(310);
  await retryAssertion(async () => {
    await call();
    expect(new Set(notes.calls('whoami').map(({ tokenHash }) => tokenHash)).size).toBe(2);
  });
  expect(provider.count('/token', { grant_type: 'refresh_token' })).toBe(1);
  const withToken = notes.requests.filter(({ tokenHash }) => tokenHash !== undefined);
  expect(withToken.filter(({ status }) => status === 401)).toEqual([]);
});
