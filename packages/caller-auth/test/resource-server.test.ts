import { describe, expect, it } from 'vitest';
import { createClaimCheck } from '../src/resource-server/claims.ts';
import { CLAIMS, RESOURCE, startIssuer, startVerifying, verifying } from './issuer.ts';

describe('the user of a token', () => {
  it('has the subject, the e-mail address, the groups, the actor and the scopes of the gateway', async () => {
    const { provider, verify } = await startVerifying({
      claims: { subject: 'oid', email: 'https://example.com/mail', groups: 'realm_access.roles' },
    });
    const outcome = await verify({
      ...CLAIMS,
      oid: 'id-of-ada',
      'https://example.com/mail': 'ada@example.com',
      realm_access: { roles: ['staff', 7, 'admins'] },
      act: { sub: 'agent-1' },
      scope: 'openid mcp:read mcp:admin',
    });
    expect(outcome.ok && outcome.principal).toEqual({
      key: JSON.stringify([provider.issuer, 'id-of-ada']),
      subject: 'id-of-ada',
      issuer: provider.issuer,
      email: 'ada@example.com',
      groups: ['staff', 'admins'],
      actor: 'agent-1',
      scopes: ['mcp:read', 'mcp:admin'],
    });
  });

  it.each([
    [['mcp:read', 'mcp:admin'], {}, []],
    [['mcp:read', 'mcp:admin'], { scp: ['mcp:admin'] }, ['mcp:admin']],
    [['mcp:read', 'mcp:admin'], { scp: 'mcp:read other' }, ['mcp:read']],
    [[], {}, ['mcp:read']],
    // An issuer that does not grant the scope does not decide about it.
    [[], { scope: 'mcp:admin' }, ['mcp:read']],
    [['mcp:admin'], { scope: 'mcp:admin' }, ['mcp:read', 'mcp:admin']],
    // The groups decide where the issuer does not.
    [['mcp:read'], { scope: 'mcp:read', groups: ['admins'] }, ['mcp:read', 'mcp:admin']],
    [['mcp:read'], { scope: 'mcp:read', groups: ['staff'] }, ['mcp:read']],
    [['mcp:read', 'mcp:admin'], { scope: 'mcp:read', groups: ['admins'] }, ['mcp:read']],
  ])('has scopes by what the issuer grants: %j %j', async (scopes, claims, expected) => {
    const { verify } = await startVerifying({ scopes });
    const outcome = await verify({ sub: 'ada', aud: RESOURCE, ...claims });
    expect(outcome.ok && outcome.principal.scopes).toEqual(expected);
  });

  it.each([
    [true, 'ada@example.com'],
    [undefined, 'ada@example.com'],
    [false, undefined],
    ['false', undefined],
  ])('has an e-mail address unless email_verified says no: %s', async (isVerified, email) => {
    const { verify } = await startVerifying();
    const claims = { ...CLAIMS, email: 'ada@example.com', email_verified: isVerified };
    const outcome = await verify(claims);
    expect(outcome.ok && outcome.principal.email).toBe(email);
  });

  it('must have the required claims', async () => {
    const org = { 'org.unit': ['a-*', 'b'] };
    const requiredClaims = { email: '*@example.com', ...org, email_verified: 'true' };
    const { verify } = await startVerifying({ requiredClaims });
    const good = { email: 'ada@example.com', org: { unit: ['x', 'a-1'] }, email_verified: true };
    expect((await verify({ ...CLAIMS, ...good })).ok).toBe(true);
    for (const claims of [
      { email: 'ada@example.com.evil.test' },
      { email: 'a/b@example.com' },
      { org: { unit: ['c'] } },
      { org: undefined },
      { email_verified: false },
      { email: `${'x'.repeat(600)}@example.com` },
    ])
      expect((await verify({ ...CLAIMS, ...good, ...claims })).ok).toBe(false);
  });

  it.each([
    ['*', ['a', 'a/b', true], ['', [], undefined, 7, null]],
    ['team-*', ['team-', 'team-a'], ['team-a/b', 'team', 'Team-a']],
    ['*/*-*/*', ['a/b-c/d'], ['a/b/c', 'a-b']],
    ['group-[0-9]?', ['group-7x'], ['group-x7', 'group-7']],
    ['a\\*', ['a*'], ['ab']],
  ])('that match %j', async (glob, accepted, refused) => {
    const { verify } = await startVerifying({ requiredClaims: { a: glob } });
    const check = async (a: unknown): Promise<boolean> => (await verify({ ...CLAIMS, a })).ok;
    for (const value of accepted) expect([value, await check(value)]).toEqual([value, true]);
    for (const value of refused) expect([value, await check(value)]).toEqual([value, false]);
  });

  it('are compared in linear time, however many stars a glob has', () => {
    const values = Array.from({ length: 1_000 }, () => 'a'.repeat(512));
    const start = process.cpuUsage();
    expect(
      createClaimCheck({ groups: ['*a*a*b', `${'*a'.repeat(127)}*b`] })({ groups: values }),
    ).toBe(false);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('the keys of an issuer', () => {
  it('are requested once for many tokens at once, and again for a new key', async () => {
    const { provider, verifier } = await startVerifying();
    const token = await provider.sign(CLAIMS);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(provider.count('/jwks')).toBe(1);
  });

  it('are not requested for each token with an unknown key', async () => {
    const { provider, verify } = await startVerifying();
    for (let count = 0; count < 20; count += 1) await verify(CLAIMS, { kid: `unknown-${count}` });
    expect(provider.count('/jwks')).toBe(1);
  });

  it('that cannot be requested make a token unverifiable, not invalid', async () => {
    const provider = await startIssuer();
    // With the URL of the keys nothing is requested at the start.
    const jwksUri = `${provider.issuer}/jwks`;
    const { verifier, failures } = await verifying({ issuer: provider.issuer, jwksUri });
    const token = await provider.sign(CLAIMS);
    await provider.close();
    expect(await verifier.verify(token)).toEqual({ ok: false, code: 'unavailable' });
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain(token);
  });

  it('are not accepted from metadata that names another issuer', async () => {
    const provider = await startIssuer({ metadataFields: { issuer: 'https://other.test' } });
    const { verifier, failures } = await verifying({ issuer: provider.issuer });
    const token = await provider.sign(CLAIMS);
    expect(await verifier.verify(token)).toEqual({ ok: false, code: 'unavailable' });
    expect(failures.at(-1)).toContain('names another issuer; configure that one');
    const pinned = await verifying({ issuer: provider.issuer, jwksUri: `${provider.issuer}/jwks` });
    expect((await pinned.verifier.verify(token)).ok).toBe(true);
  });

  it('are not requested from a private address that only metadata names', async () => {
    const other = await startIssuer();
    const metadataFields = { jwks_uri: `${other.issuer}/jwks` };
    const { verify } = await startVerifying({}, { metadataFields });
    expect(await verify()).toMatchObject({ code: 'unavailable' });
    expect(other.requests).toEqual([]);
  });
});

describe('a forwardable token', () => {
  it('is available for servers that accept one of its audiences, until it expires', async () => {
    const state = await startVerifying({ forwardable: true, audiences: ['client'] });
    const { provider } = state;
    const token = await provider.sign({ ...CLAIMS, aud: ['client', 'cluster'] });
    const outcome = await state.verifier.verify(token);
    const principal = outcome.ok ? outcome.principal : undefined;
    const { forwarded } = state;
    if (principal === undefined) throw new Error('refused');
    const idToken = (...audiences: string[]) => forwarded.idToken(principal, { audiences });
    expect(await idToken('cluster')).toMatchObject({ ok: true, token });
    const missing = { ok: false, code: 'audience-missing', audience: 'other' };
    expect(await idToken('other')).toEqual(missing);
    expect(await forwarded.idToken({ ...principal, key: 'x' }, { audiences: [] })).toMatchObject({
      code: 'signed-out',
    });
    state.now += 3_600_000;
    expect(await idToken('cluster')).toMatchObject({ code: 'signed-out' });
  });

  it('of an issuer that does not permit it is not stored, and says so', async () => {
    const { verify, forwarded } = await startVerifying();
    const outcome = await verify();
    expect(outcome.ok && (await forwarded.idToken(outcome.principal, { audiences: [] }))).toEqual({
      ok: false,
      code: 'not-forwardable',
    });
  });
});
