import { expect, it } from 'vitest';
import { formatBasicAuthorization } from '../src/oauth-answers.ts';

it.each([
  ['my-client.id_1', 'a-b.c_d', 'my-client.id_1:a-b.c_d'],
  ['client:1', 'a+b%c d', 'client%3A1:a%2Bb%25c+d'],
  ['client', 'a-b.c_d:e%f+g äöü', 'client:a-b.c_d%3Ae%25f%2Bg+%C3%A4%C3%B6%C3%BC'],
])(
  'the authentication of a client by header encodes %s and %s where the form requires it',
  (clientId, clientSecret, text) => {
    const value = formatBasicAuthorization({ clientId, clientSecret });
    expect(value).toBe(`Basic ${Buffer.from(text).toString('base64')}`);
  },
);
