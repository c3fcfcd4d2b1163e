import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { toDocument, refusalOf, remote, stdio, withAuth } from '../documents.ts';

const requirement = defineRequirements(requirements);
const exchange = {
  enabled: true,
  dexTokenEndpoint: 'https://dex.example.com/token',
  connectorId: 'home',
};
const pinned = { issuer: 'https://issuer.example.com' };

requirement('7.6/command', () => {
  it('refuses a stdio server without command', () => {
    expect(refusalOf(toDocument({ type: 'stdio' }))).toEqual([
      'spec.command: command is required when type is stdio',
    ]);
  });
  it('refuses an empty command', () => {
    expect(refusalOf(stdio({ command: '' }))).toEqual(['spec.command: must not be empty']);
  });
  it('accepts a stdio server with command', () => {
    expect(refusalOf(stdio())).toEqual([]);
  });
  it('accepts a remote server without command', () => {
    expect(refusalOf(remote())).toEqual([]);
  });
});

requirement('7.6/url', () => {
  it.each(['streamable-http', 'sse'])('refuses a %s server without url', (type) => {
    expect(refusalOf(toDocument({ type }))).toEqual([
      'spec.url: url is required when type is streamable-http or sse',
    ]);
  });
  it.each(['streamable-http', 'sse'])('accepts a %s server with url', (type) => {
    expect(refusalOf(remote({ type }))).toEqual([]);
  });
  it('accepts a stdio server without url', () => {
    expect(refusalOf(stdio())).toEqual([]);
  });
});

requirement('7.6/args', () => {
  it.each([['streamable-http'], ['sse']])('refuses args of a %s server', (type) => {
    expect(refusalOf(remote({ type, args: ['-v'] }))).toEqual([
      'spec.args: args field is only allowed when type is stdio',
    ]);
  });
  it('refuses an empty list of args of a remote server', () => {
    expect(refusalOf(remote({ args: [] }))).toEqual([
      'spec.args: args field is only allowed when type is stdio',
    ]);
  });
  it('accepts args of a stdio server', () => {
    expect(refusalOf(stdio({ args: ['-v'] }))).toEqual([]);
  });
});

describe('cwd belongs to stdio servers', () => {
  it.each(['streamable-http', 'sse'])('refuses cwd of a %s server', (type) => {
    expect(refusalOf(remote({ type, cwd: 'tools' }))).toEqual([
      'spec.cwd: cwd field is only allowed when type is stdio',
    ]);
  });
  it('accepts cwd of a stdio server', () => {
    expect(refusalOf(stdio({ cwd: 'tools' }))).toEqual([]);
  });
});

describe('instances of servers of every type', () => {
  it.each([stdio, remote, (spec: object) => remote({ type: 'sse', ...spec })])(
    'are shared or per session',
    (server) => {
      expect(refusalOf(server({ instances: 'shared' }))).toEqual([]);
      expect(refusalOf(server({ instances: 'perSession' }))).toEqual([]);
      expect(refusalOf(server({ instances: 'several' }))).toHaveLength(1);
    },
  );
});

describe('startTimeout belongs to stdio servers', () => {
  it.each(['streamable-http', 'sse'])('refuses startTimeout of a %s server', (type) => {
    expect(refusalOf(remote({ type, startTimeout: 60 }))).toEqual([
      'spec.startTimeout: startTimeout field is only allowed when type is stdio',
    ]);
  });
  it('accepts startTimeout of a stdio server', () => {
    expect(refusalOf(stdio({ startTimeout: 60 }))).toEqual([]);
  });
});

requirement('7.6/headers', () => {
  it('refuses headers of a stdio server', () => {
    expect(refusalOf(stdio({ headers: { 'X-Team': 'a' } }))).toEqual([
      'spec.headers: headers field is only allowed when type is streamable-http or sse',
    ]);
  });
  it.each(['streamable-http', 'sse'])('accepts headers of a %s server', (type) => {
    expect(refusalOf(remote({ type, headers: { 'X-Team': 'a' } }))).toEqual([]);
  });
});

describe('auth belongs to remote servers', () => {
  it.each([
    [{ type: 'oauth' }],
    [{ forwardToken: true }],
    [{ type: 'none', tokenExchange: { ...exchange, enabled: true } }],
  ])('refuses the authentication %j of a stdio server', (auth) => {
    expect(refusalOf(stdio({ auth }))).toEqual([
      'spec.auth: auth configuration is only supported for remote server types (streamable-http or sse)',
    ]);
  });
  it.each([
    [{ type: 'none' }],
    [{}],
    [{ type: 'none', forwardToken: false }],
    [{ tokenExchange: { enabled: false } }],
  ])('accepts %j of a stdio server, which is no authentication', (auth) => {
    expect(refusalOf(stdio({ auth }))).toEqual([]);
  });
  it('accepts auth of a remote server', () => {
    expect(refusalOf(withAuth({ type: 'none' }))).toEqual([]);
  });
});

const exclusions = (): void => {
  it('refuses authorizationServer when type is none', () => {
    expect(refusalOf(withAuth({ type: 'none', authorizationServer: pinned }))).toEqual([
      'spec.auth.authorizationServer: authorizationServer is only valid when type is oauth',
    ]);
  });
  it('refuses authorizationServer when type is absent', () => {
    expect(refusalOf(withAuth({ authorizationServer: pinned }))).toEqual([
      'spec.auth.authorizationServer: authorizationServer is only valid when type is oauth',
    ]);
  });
  it('accepts authorizationServer when type is oauth', () => {
    expect(refusalOf(withAuth({ type: 'oauth', authorizationServer: pinned }))).toEqual([]);
  });
  it('refuses authorizationServer beside forwardToken: true', () => {
    const auth = { type: 'oauth', forwardToken: true, authorizationServer: pinned };
    expect(refusalOf(withAuth(auth))).toEqual([
      'spec.auth.authorizationServer: forwardToken bypasses per-backend OAuth; set one or the other, not both',
    ]);
  });
  it('accepts authorizationServer beside forwardToken: false', () => {
    const auth = { type: 'oauth', forwardToken: false, authorizationServer: pinned };
    expect(refusalOf(withAuth(auth))).toEqual([]);
  });
  it('refuses authorizationServer beside an enabled token exchange', () => {
    const auth = { type: 'oauth', tokenExchange: exchange, authorizationServer: pinned };
    expect(refusalOf(withAuth(auth))).toEqual([
      'spec.auth.authorizationServer: tokenExchange has its own issuer/endpoint config; set one or the other, not both',
    ]);
  });
  it('accepts authorizationServer beside a disabled token exchange', () => {
    const auth = {
      type: 'oauth',
      tokenExchange: { ...exchange, enabled: false },
      authorizationServer: pinned,
    };
    expect(refusalOf(withAuth(auth))).toEqual([]);
  });
};
requirement('2.6/authorization-server-exclusions', exclusions);
requirement('7.6/authorization-server', exclusions);

requirement('7.6/token-exchange', () => {
  it('refuses an enabled exchange without endpoint and connector, both at once', () => {
    expect(refusalOf(withAuth({ tokenExchange: { enabled: true } }))).toEqual([
      'spec.auth.tokenExchange.dexTokenEndpoint: dexTokenEndpoint is required when enabled is true',
      'spec.auth.tokenExchange.connectorId: connectorId is required when enabled is true',
    ]);
  });
  it('accepts an enabled exchange with both', () => {
    expect(refusalOf(withAuth({ tokenExchange: exchange }))).toEqual([]);
  });
  it('accepts a disabled exchange without them', () => {
    expect(refusalOf(withAuth({ tokenExchange: { enabled: false } }))).toEqual([]);
  });
  it('accepts an exchange that does not say whether it is enabled, without them', () => {
    expect(refusalOf(withAuth({ tokenExchange: {} }))).toEqual([]);
  });
});
