import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@gateway/gateway-config';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStateStore } from '../../src/state-store.ts';

const KEY = 'a'.repeat(64);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'state-store-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (name: string, text: string, mode = 0o600): void => {
  writeFileSync(join(directory, name), text);
  chmodSync(join(directory, name), mode);
};

const create = async (state: Record<string, unknown>, environment: Record<string, string> = {}) => {
  const parsed = parseConfig({ state });
  if (!parsed.ok) throw new Error(parsed.issues[0]?.message);
  return createStateStore(parsed.config.state, {
    ...{ directory, environment },
    logger: pino({ level: 'silent' }),
  });
};

const problemOf = async (
  state: Record<string, unknown>,
  environment: Record<string, string> = {},
): Promise<string | undefined> => {
  const created = await create({ store: 'redis', ...state }, environment);
  if (!created.ok) return created.problem;
  await created.store.close();
  return undefined;
};

it('stores in memory by default, and needs no key for it', async () => {
  const created = await create({});
  if (!created.ok) throw new Error(created.problem);
  await created.store.set(['token'], 'value', { ttlMs: 60_000 });
  expect(await created.store.get(['token'])).toBe('value');
});

it('refuses a server without a key', async () => {
  expect(await problemOf({ url: 'redis://127.0.0.1:1' })).toBe(
    'state.store is redis, but there is no key that encrypts the state: set GATEWAY_STATE_KEY or state.keyFile, for example to the output of "openssl rand -base64 32"',
  );
});

it('names the place of a malformed key and never its text', async () => {
  const rule =
    'the state key must be 32 random bytes in base64 or hexadecimal digits, for example of "openssl rand -base64 32"';
  const url = 'redis://127.0.0.1:1';
  write('key', `${KEY}\nsecret-previous\n`);
  write('bad', 'secret-current\n');
  expect([
    await problemOf({ url }, { GATEWAY_STATE_KEY: 'secret' }),
    await problemOf({ url }, { GATEWAY_STATE_KEY: KEY, GATEWAY_STATE_KEY_PREVIOUS: 'secret' }),
    await problemOf({ url, keyFile: 'bad' }),
    await problemOf({ url, keyFile: 'key' }),
  ]).toEqual([
    `GATEWAY_STATE_KEY: ${rule}`,
    `GATEWAY_STATE_KEY_PREVIOUS: ${rule}`,
    `state.keyFile, first line: ${rule}`,
    `state.keyFile, second line: ${rule}`,
  ]);
});

it('refuses a key or password file that is absent, empty or readable by others', async () => {
  const url = 'redis://127.0.0.1:1';
  write('shared', KEY, 0o640);
  write('empty', '');
  write('good', `${KEY}\n${'b'.repeat(64)}\n`);
  const path = (name: string): string => join(directory, name);
  expect([
    await problemOf({ url, keyFile: 'absent' }),
    await problemOf({ url, keyFile: 'shared' }),
    await problemOf({ url, keyFile: 'empty' }),
    await problemOf({ url, keyFile: '.' }),
    await problemOf({ url, keyFile: 'good', passwordFile: 'absent' }),
    await problemOf({ url, keyFile: 'good', passwordFile: 'shared' }),
    await problemOf({ url, keyFile: 'good', passwordFile: 'good' }),
  ]).toEqual([
    `state.keyFile: ${path('absent')} does not exist`,
    `state.keyFile: ${path('shared')} can be read by other users: set its mode to 0600`,
    `state.keyFile: ${path('empty')} has an empty first line`,
    expect.stringMatching(
      /^state\.keyFile: .* (can be read by other users|is not a regular file)/u,
    ),
    `state.passwordFile: ${path('absent')} does not exist`,
    `state.passwordFile: ${path('shared')} can be read by other users: set its mode to 0600`,
    undefined,
  ]);
});

it('refuses a URL that is not one of a server', async () => {
  const environment = { GATEWAY_STATE_KEY: KEY };
  expect([
    await problemOf({}, environment),
    await problemOf({ url: 'not a url' }, environment),
    await problemOf({ url: 'http://state' }, environment),
    await problemOf({ url: 'redis://u:secret@state' }, environment),
    await problemOf({ url: 'rediss://state', caFile: 'absent.pem' }, environment),
  ]).toEqual([
    'state.store is redis, but state.url is not set',
    'state.url must be a URL',
    'state.url must begin with redis:// or rediss://',
    'state.url must not contain a password: use state.passwordFile',
    'state.caFile: absent.pem cannot be read',
  ]);
});

it('starts while the server is away', async () => {
  const created = await create(
    { store: 'redis', url: 'redis://127.0.0.1:1' },
    { GATEWAY_STATE_KEY: KEY },
  );
  if (!created.ok) throw new Error(created.problem);
  await expect(created.store.get(['token'])).rejects.toMatchObject({ code: 'unavailable' });
  await created.store.close();
});
