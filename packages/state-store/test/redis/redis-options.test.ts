import { expect, it } from 'vitest';
import { parseRedisAddress, validateRedisUrl } from '../../src/redis/redis-options.ts';

it.each([
  [
    'redis://state.example.com',
    { host: 'state.example.com', port: 6379, database: 0, isTls: false },
  ],
  [
    'rediss://gate%40way@[::1]:6380/3',
    { host: '::1', port: 6380, username: 'gate@way', database: 3, isTls: true },
  ],
])('reads the address %s of a server', (url, address) => {
  expect(parseRedisAddress(new URL(url))).toEqual(address);
});

it.each([
  ['https://state.example.com', 'must begin with redis:// or rediss://'],
  ['redis:///0', 'must name a host'],
  ['redis://:secret@state.example.com', 'must not contain a password: use state.passwordFile'],
  [
    'redis://state.example.com/sessions',
    'must end with the number of a database, or without a path',
  ],
  ['redis://state.example.com/0?x=1', 'must not have a query or a fragment'],
  ['rediss://user@state.example.com:6380/15', undefined],
])('answers %s with: %s', (url, problem) => {
  expect(validateRedisUrl(new URL(url))).toBe(problem);
});
