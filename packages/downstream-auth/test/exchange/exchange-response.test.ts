import { describe, expect, it } from 'vitest';
import { readExchangeResponse } from '../../src/exchange/exchange-response.ts';
import { unsignedToken } from '../unsigned-token.ts';

const SECRET = 'a-b.secret';
const ISSUER = 'https://remote.test';

const failureOf = (status: number, body: object): unknown => {
  const result = readExchangeResponse(
    { status, body: JSON.stringify(body) },
    { issuer: ISSUER, now: 0, secrets: ['subject.token', SECRET] },
  );
  return result.ok ? undefined : result.failure;
};

describe('the failure of an exchange', () => {
  it('has the code of the error', () => {
    expect(failureOf(400, { error: 'invalid_grant' })).toEqual({
      code: 'exchange.refused',
      status: 400,
      error: 'invalid_grant',
    });
  });

  it.each([SECRET, `got:${SECRET}`, 'a'.repeat(32)])(
    'has no code that may be a secret: %s',
    (error) => {
      expect(failureOf(400, { error })).toEqual({ code: 'exchange.refused', status: 400 });
    },
  );

  it('names the other issuer of a token, without secrets', () => {
    const token = unsignedToken({ iss: `https://a.test/${SECRET}` });
    expect(failureOf(200, { access_token: token, token_type: 'Bearer' })).toEqual({
      code: 'exchange.issuer',
      expected: ISSUER,
      got: 'https://a.test/[redacted]',
    });
  });
});
