import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import {
  resolveAuthStrategy,
  resolveExpectedIssuer,
  type EnabledTokenExchange,
} from '../../src/index.ts';

const requirement = defineRequirements(requirements);
const base = { type: 'none', forwardToken: false, requiredAudiences: [] } as const;
const exchange: EnabledTokenExchange = {
  enabled: true,
  dexTokenEndpoint: 'https://dex.example.com/token',
  connectorId: 'home',
  scopes: 'openid',
};

requirement('2.6/auth-precedence', () => {
  it('exchanges tokens when both are set', () => {
    expect(resolveAuthStrategy({ ...base, forwardToken: true, tokenExchange: exchange })).toEqual({
      kind: 'tokenExchange',
      tokenExchange: exchange,
    });
  });
  it('forwards the token when the exchange is switched off', () => {
    const tokenExchange = { ...exchange, enabled: false } as const;
    expect(resolveAuthStrategy({ ...base, forwardToken: true, tokenExchange })).toEqual({
      kind: 'forwardToken',
    });
  });
  it('forwards the token rather than asking for a sign-in', () => {
    expect(resolveAuthStrategy({ ...base, type: 'oauth', forwardToken: true })).toEqual({
      kind: 'forwardToken',
    });
  });
  it('signs in when only type is oauth', () => {
    expect(resolveAuthStrategy({ ...base, type: 'oauth' })).toEqual({ kind: 'oauth' });
    const authorizationServer = { issuer: 'https://a.example' };
    expect(resolveAuthStrategy({ ...base, type: 'oauth', authorizationServer })).toEqual({
      kind: 'oauth',
      authorizationServer,
    });
  });
  it('does nothing when nothing is set', () => {
    expect(resolveAuthStrategy(base)).toEqual({ kind: 'none' });
  });
});

requirement('2.6/token-exchange-issuer', () => {
  it.each([
    ['https://dex.example.com/token', 'https://dex.example.com'],
    ['https://dex.example.com/dex/token', 'https://dex.example.com/dex'],
    ['https://dex.example.com/dex/token/', 'https://dex.example.com/dex'],
    ['https://dex.example.com/oauth2', 'https://dex.example.com/oauth2'],
  ])('derives from %s the issuer %s', (dexTokenEndpoint, issuer) => {
    expect(resolveExpectedIssuer({ ...exchange, dexTokenEndpoint })).toBe(issuer);
  });
  it('takes the configured issuer as it is', () => {
    expect(resolveExpectedIssuer({ ...exchange, expectedIssuer: 'https://other.example' })).toBe(
      'https://other.example',
    );
  });
});
