import { expect, it } from 'vitest';
import { parseRedisAddress, validateRedisUrl } from '../../src/redis/redis-options.ts';

it('reads the address of a server', () => {
  expect(parseRedisAddress(new URL('redis://state.example.com'))).toEqual({
    host: 'state.example.com',
    port: 6379,
    database: 0,
    isTls: false,
  });
  expect(parseRedisAddress(new URL('rediss://gate%40way@[::1]:6380/3'))).toEqual({
    host: '::1',
    port: 6380,
    username: 'gate@way',
    database: 3,
    isTls: true,
  });
});

it('refuses other URLs', () => {
  const problems = [
    'https://state.example.com',
    'redis:///0',
    'redis://:secret@state.example.com',
    'redis://state.example.com/sessions',
    'redis://state.example.com/0?x=1',
  ].map((url) => validateRedisUrl(new URL(url)));
  expect(problems).toEqual([
    'must begin with redis:// or rediss://',
    'must name a host',
    'must not contain a password: use state.passwordFile',
    'must end with the number of a database, or without a path',
    'must not have a query or a fragment',
  ]);
  expect(validateRedisUrl(new URL('rediss://user@state.example.com:6380/15'))).toBeUndefined();
});
