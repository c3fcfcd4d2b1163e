import { createHmac, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT, type JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { CLAIMS, RESOURCE, serve, startIssuer, startVerifying, verifying } from './issuer.ts';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Outcome = Awaited<ReturnType<Awaited<ReturnType<typeof startVerifying>>['verify']>>;

const toCode = (outcome: Outcome): string => (outcome.ok ? 'accepted' : outcome.code);

/** Starts an issuer, and a function that returns what becomes of a token. */
const start = async (settings?: object) => {
  const { provider, verifier, verify } = await startVerifying(settings);
  const codeOf = async (token: string): Promise<string> => toCode(await verifier.verify(token));
  return { provider, verify, codeOf };
};

const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

/** A time that is computed when the token is signed. */
const at = (offset: number) => (): number => seconds(offset);

describe('the token of a trusted issuer', () => {
  it.each([
    ['is accepted', {}, {}, 'accepted'],
    ['has expired', { exp: at(-61) }, {}, 'expired'],
    ['expired within the skew of clocks', { exp: at(-50) }, {}, 'accepted'],
    ['is not valid yet', { nbf: at(120) }, {}, 'not-yet-valid'],
    ['is valid soon, within the skew', { nbf: at(30) }, {}, 'accepted'],
    ['was issued in the future', { iat: at(120) }, {}, 'not-yet-valid'],
    ['never expires', { exp: undefined }, {}, 'wrong-claims'],
    ['expires at a text', { exp: 'never' }, {}, 'wrong-claims'],
    ['is for another service', { aud: 'https://other.test/mcp' }, {}, 'wrong-audience'],
    ['has an audience that begins like ours', { aud: `${RESOURCE}/x` }, {}, 'wrong-audience'],
    ['is for several services', { aud: ['x', RESOURCE] }, {}, 'accepted'],
    ['is for no service', { aud: undefined }, {}, 'wrong-audience'],
    ['is of another issuer', { iss: 'https://evil.test' }, {}, 'unknown-issuer'],
    ['has a list of issuers', { iss: ['x'] }, {}, 'unknown-issuer'],
    ['has no subject', { sub: undefined }, {}, 'wrong-claims'],
    ['has an empty subject', { sub: '' }, {}, 'wrong-claims'],
    ['has a number as subject', { sub: 7 }, {}, 'wrong-claims'],
    ['has a subject without end', { sub: 'x'.repeat(5_000) }, {}, 'wrong-claims'],
    ['is bound to a key', { cnf: { jkt: 'x' } }, {}, 'sender-constrained'],
    ['has no type', {}, { typ: undefined }, 'accepted'],
    ['has the type of access tokens', {}, { typ: 'AT+JWT' }, 'accepted'],
    ['has that type in full', {}, { typ: 'application/at+jwt' }, 'accepted'],
    ['is a logout token', {}, { typ: 'logout+jwt' }, 'wrong-type'],
    ['is a proof of possession', {}, { typ: 'dpop+jwt' }, 'wrong-type'],
    ['has a type that is not a text', {}, { typ: 5 }, 'wrong-type'],
    ['names an unknown key', {}, { kid: 'other' }, 'wrong-signature'],
    ['names a file as key', {}, { kid: '../../../etc/passwd' }, 'wrong-signature'],
    ['names an inherited property as key', {}, { kid: '__proto__' }, 'wrong-signature'],
    ['names its own key set', {}, { jku: 'https://evil.test/keys' }, 'accepted'],
  ])('%s', async (_title, claims, header, expected) => {
    const { verify } = await start();
    const computed = Object.entries(claims).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'function' ? (value as () => number)() : value,
    ]);
    const outcome = await verify({ ...CLAIMS, ...Object.fromEntries(computed) }, header);
    expect(toCode(outcome)).toBe(expected);
  });

  it('with an unknown critical member is refused', async () => {
    const { provider, codeOf } = await start();
    const token = await provider.sign(CLAIMS);
    const [, claims, signature] = token.split('.');
    const header = encoded({ alg: 'RS256', kid: 'first', crit: ['x'], x: 1 });
    expect(await codeOf([header, claims, signature].join('.'))).toBe('wrong-signature');
  });
});

describe('a forged token', () => {
  it.each(['none', 'None', 'NONE', 'HS256', 'HS512', '', '__proto__'])(
    'with the algorithm %j is refused',
    async (alg) => {
      const { provider, codeOf } = await start();
      const claims = encoded({ ...CLAIMS, iss: provider.issuer, exp: seconds(300) });
      for (const signature of ['', 'AAAA']) {
        const token = `${encoded({ alg, kid: 'first' })}.${claims}.${signature}`;
        expect(['malformed', 'wrong-algorithm']).toContain(await codeOf(token));
      }
    },
  );

  it('signed with the public key as a shared secret is refused', async () => {
    const { provider, codeOf } = await start();
    const response = await fetch(`${provider.issuer}/jwks`);
    const { keys } = (await response.json()) as { keys: JWK[] };
    const secrets = [JSON.stringify(keys[0]), keys[0]?.n ?? '', JSON.stringify({ keys })];
    const claims = encoded({ ...CLAIMS, iss: provider.issuer, exp: seconds(300) });
    for (const secret of secrets) {
      const signed = `${encoded({ alg: 'HS256', kid: 'first' })}.${claims}`;
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await codeOf(`${signed}.${signature}`)).toBe('wrong-algorithm');
    }
  });

  it('with its own key in the header, or at a URL of the header, is refused, and the URL is not requested', async () => {
    const { provider, codeOf } = await start();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'first', alg: 'RS256' } as JWK;
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.end(JSON.stringify({ keys: [jwk] }));
    });
    for (const header of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ['AAAA'] }]) {
      const token = await new SignJWT({ ...CLAIMS, iss: provider.issuer })
        .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
        .setExpirationTime('5m')
        .sign(privateKey);
      expect(await codeOf(token)).toMatch(/^wrong-signature|malformed$/);
    }
    expect(requests).toBe(0);
  });

  it('of one issuer that names another one is refused', async () => {
    const [good, evil] = [await startIssuer(), await startIssuer()];
    const { verifier } = await verifying({ issuer: good.issuer }, { issuer: evil.issuer });
    const token = await evil.sign({ ...CLAIMS, iss: good.issuer });
    expect(toCode(await verifier.verify(token))).toBe('wrong-signature');
    const accepted = await verifier.verify(await evil.sign(CLAIMS));
    expect(accepted.ok && accepted.principal.issuer).toBe(evil.issuer);
  });

  it('is refused after any change of its text', async () => {
    const { provider, codeOf } = await start();
    const token = await provider.sign(CLAIMS);
    await fc.assert(
      fc.asyncProperty(
        // The last character of a part may have bits that belong to no byte.
        fc.nat(token.length - 2),
        fc.constantFrom(...Array.from('abcXYZ019-_.')),
        async (at, char) => {
          fc.pre(
            token[at] !== char && token[at] !== '.' && !['.', undefined].includes(token[at + 1]),
          );
          const changed = token.slice(0, at) + char + token.slice(at + 1);
          expect(await codeOf(changed)).not.toBe('accepted');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of any text is refused without a request', async () => {
    const { provider, codeOf } = await start();
    const part = fc.oneof(
      fc.string(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        expect(await codeOf(parts.join('.'))).toMatch(/^malformed|unknown-issuer$/);
      }),
    );
    expect(provider.requests).toEqual([]);
  });
});

describe('the claims of a token', () => {
  it('are no inherited properties, and of a repeated claim the last one counts', async () => {
    const { provider, verify } = await start({ claims: { groups: 'constructor.name' } });
    const proto = '{"email":"evil@test","groups":["admins"]}';
    const text = `{"sub":"eve","sub":"ada","aud":"${RESOURCE}","scope":"mcp:read","__proto__":${proto}}`;
    const outcome = await verify(JSON.parse(text) as object);
    expect(outcome.ok && outcome.principal).toEqual({
      key: JSON.stringify([provider.issuer, 'ada']),
      subject: 'ada',
      issuer: provider.issuer,
      scopes: ['mcp:read'],
    });
  });
});
