import { createMemoryStore } from '@gateway/state-store';
import { expect, it, onTestFinished } from 'vitest';
import { toAccountGroup, createModelAdapter } from '../../../src/broker/model-adapter.ts';

const MONTH_SECONDS = 30 * 24 * 60 * 60;

const models = () => {
  const store = createMemoryStore();
  onTestFinished(() => store.close());
  return { store, of: createModelAdapter({ store, now: Date.now, newClientMs: 60_000 }) };
};

it('a client with short tokens refreshes more than 4,096 times, and all of its tokens end together', async () => {
  const { of } = models();
  const [refreshTokens, accessTokens] = [of('RefreshToken'), of('AccessToken')];
  const payload = { grantId: 'g', accountId: 'a' };
  for (let count = 0; count < 5_000; count += 1) {
    await accessTokens.upsert(`access-${count}`, payload, 10);
    await refreshTokens.upsert(`refresh-${count}`, payload, MONTH_SECONDS);
    await refreshTokens.consume(`refresh-${count - 1}`).catch(() => undefined);
    expect(await accessTokens.find(`access-${count}`)).toBeDefined();
  }
  expect(await refreshTokens.find('refresh-4999')).toBeDefined();
  await refreshTokens.revokeByGrantId('g');
  expect(await refreshTokens.find('refresh-4999')).toBeUndefined();
  expect(await accessTokens.find('access-4999')).toBeUndefined();
});

it('a user signs in more than 4,096 times, and signs out of all', async () => {
  const { store, of } = models();
  const grants = of('Grant');
  for (let count = 0; count < 5_000; count += 1)
    await grants.upsert(`grant-${count}`, { accountId: 'a' }, MONTH_SECONDS);
  expect(await grants.find('grant-4999')).toBeDefined();
  expect(await grants.find('grant-0')).toBeUndefined();
  await store.deleteGroup(toAccountGroup('a'));
  expect(await grants.find('grant-4999')).toBeUndefined();
});
