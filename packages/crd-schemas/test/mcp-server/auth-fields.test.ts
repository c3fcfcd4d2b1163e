import { defineRequirements } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import type { McpServerAuth } from '../../src/index.ts';
import { toDocument, refusalOf, remote, serverOf, withAuth } from '../documents.ts';

const requirement = defineRequirements(requirements);
const exchange = {
  enabled: true,
  dexTokenEndpoint: 'https://dex.example.com/token',
  connectorId: 'home',
};

const authOf = (document: unknown): McpServerAuth => {
  const { spec } = serverOf(document);
  if (spec.type === 'stdio') throw new Error('not a remote server');
  return spec.auth;
};

requirement('2.6/auth-type', () => {
  it('is none unless set', () => {
    const none = { type: 'none', forwardToken: false, requiredAudiences: [] };
    expect(authOf(remote())).toEqual(none);
    expect(authOf(withAuth({}))).toEqual(none);
  });
  it('accepts oauth and refuses anything else', () => {
    expect(authOf(withAuth({ type: 'oauth' })).type).toBe('oauth');
    expect(refusalOf(withAuth({ type: 'basic' }))).toEqual([
      'spec.auth.type: must be one of oauth, none',
    ]);
  });
});

it('accepts the Secret of the client at a pinned issuer, in the namespace of the server unless it names one', () => {
  const authorizationServer = {
    issuer: 'https://login.example.com',
    clientCredentialsSecretRef: { name: 'wiki-client' },
  };
  expect(authOf(withAuth({ type: 'oauth', authorizationServer })).authorizationServer).toEqual({
    issuer: 'https://login.example.com',
    clientCredentialsSecretRef: {
      name: 'wiki-client',
      namespace: 'default',
      clientIdKey: 'client-id',
      clientSecretKey: 'client-secret',
    },
  });
  const misspelled = { ...authorizationServer, clientCredentialsSecretRef: { secret: 'x' } };
  expect(refusalOf(withAuth({ type: 'oauth', authorizationServer: misspelled }))).toHaveLength(2);
});

requirement('2.6/auth-forward-token', () => {
  it('is false unless set', () => {
    expect(authOf(withAuth({ forwardToken: true })).forwardToken).toBe(true);
    expect(authOf(withAuth({ type: 'oauth' })).forwardToken).toBe(false);
  });
  it('refuses a string', () => {
    expect(refusalOf(withAuth({ forwardToken: 'yes' }))).toEqual([
      'spec.auth.forwardToken: must be a boolean, not a string',
    ]);
  });
});

requirement('2.6/auth-required-audiences', () => {
  it('keeps the audiences in order', () => {
    expect(authOf(withAuth({ requiredAudiences: ['b', 'a'] })).requiredAudiences).toEqual([
      'b',
      'a',
    ]);
  });
  it('refuses an empty one and one that is no string', () => {
    expect(refusalOf(withAuth({ requiredAudiences: ['', 7] }))).toEqual([
      'spec.auth.requiredAudiences[0]: must not be empty',
      'spec.auth.requiredAudiences[1]: must be a string, not a number',
    ]);
  });
});

requirement('2.6/token-exchange-enabled', () => {
  it('is false unless set', () => {
    expect(authOf(withAuth({ tokenExchange: {} })).tokenExchange).toEqual({
      enabled: false,
      scopes: 'openid profile email groups',
    });
    expect(authOf(withAuth({ tokenExchange: exchange })).tokenExchange?.enabled).toBe(true);
  });
  it('keeps what a disabled exchange says', () => {
    expect(
      authOf(withAuth({ tokenExchange: { ...exchange, enabled: false } })).tokenExchange,
    ).toEqual({ ...exchange, enabled: false, scopes: 'openid profile email groups' });
  });
});

requirement('2.6/token-exchange-endpoint', () => {
  it('accepts an https:// URL and refuses an http:// one', () => {
    expect(refusalOf(withAuth({ tokenExchange: exchange }))).toEqual([]);
    const dexTokenEndpoint = 'http://dex.example.com/token';
    expect(refusalOf(withAuth({ tokenExchange: { ...exchange, dexTokenEndpoint } }))).toEqual([
      'spec.auth.tokenExchange.dexTokenEndpoint: must be an https:// URL',
    ]);
  });
  it('refuses a user and a password with the remedy', () => {
    const dexTokenEndpoint = 'https://client:secret@dex.example.com/token';
    expect(refusalOf(withAuth({ tokenExchange: { ...exchange, dexTokenEndpoint } }))).toEqual([
      'spec.auth.tokenExchange.dexTokenEndpoint: must not contain a user or a password: clientCredentialsSecretRef names a Secret with them',
    ]);
  });
  it('is required when enabled', () => {
    expect(refusalOf(withAuth({ tokenExchange: { enabled: true, connectorId: 'c' } }))).toEqual([
      'spec.auth.tokenExchange.dexTokenEndpoint: dexTokenEndpoint is required when enabled is true',
    ]);
  });
});

requirement('2.6/token-exchange-connector', () => {
  it('is required when enabled', () => {
    const tokenExchange = { enabled: true, dexTokenEndpoint: 'https://dex.example.com/token' };
    expect(refusalOf(withAuth({ tokenExchange }))).toEqual([
      'spec.auth.tokenExchange.connectorId: connectorId is required when enabled is true',
    ]);
  });
  it('starts with a letter', () => {
    const refusal =
      'spec.auth.tokenExchange.connectorId: must start with a letter and contain only letters, digits, "_" and "-"';
    expect(refusalOf(withAuth({ tokenExchange: { ...exchange, connectorId: '1a' } }))).toEqual([
      refusal,
    ]);
    expect(refusalOf(withAuth({ tokenExchange: { ...exchange, connectorId: 'a-1' } }))).toEqual([]);
  });
});

requirement('2.6/token-exchange-scopes', () => {
  it('is "openid profile email groups" unless set', () => {
    expect(authOf(withAuth({ tokenExchange: exchange })).tokenExchange?.scopes).toBe(
      'openid profile email groups',
    );
    const own = authOf(withAuth({ tokenExchange: { ...exchange, scopes: 'openid' } }));
    expect(own.tokenExchange?.scopes).toBe('openid');
  });
});

requirement('2.6/client-credentials-ref', () => {
  const refOf = (ref: unknown, metadata: unknown): unknown =>
    authOf(
      toDocument(
        {
          type: 'sse',
          url: 'https://example.com/sse',
          auth: { tokenExchange: { ...exchange, clientCredentialsSecretRef: ref } },
        },
        metadata,
      ),
    ).tokenExchange?.clientCredentialsSecretRef;

  it('takes the namespace of the server, client-id and client-secret unless set', () => {
    expect(refOf({ name: 'creds' }, { name: 'a', namespace: 'team-a' })).toEqual({
      name: 'creds',
      namespace: 'team-a',
      clientIdKey: 'client-id',
      clientSecretKey: 'client-secret',
    });
  });
  it('keeps what is set', () => {
    const ref = { name: 'creds', namespace: 'vault', clientIdKey: 'id', clientSecretKey: 'key' };
    expect(refOf(ref, { name: 'a', namespace: 'team-a' })).toEqual(ref);
  });
  it('requires the name', () => {
    const tokenExchange = { ...exchange, clientCredentialsSecretRef: {} };
    expect(refusalOf(withAuth({ tokenExchange }))).toEqual([
      'spec.auth.tokenExchange.clientCredentialsSecretRef.name: name is required',
    ]);
  });
});

requirement('2.6/issuer', () => {
  const refusalOfIssuer = (issuer: unknown): readonly string[] =>
    refusalOf(withAuth({ type: 'oauth', authorizationServer: { issuer } }));

  it.each(['https://issuer.example.com', 'https://issuer.example.com:8443/realms/a'])(
    'accepts %s',
    (issuer) => {
      expect(refusalOfIssuer(issuer)).toEqual([]);
    },
  );
  it.each([
    'http://issuer.example.com',
    'https://issuer.example.com/',
    'https://issuer.example.com/a/',
    'https://issuer.example.com/a?b=c',
    'https://issuer.example.com/a#b',
    'issuer.example.com',
  ])('refuses %s', (issuer) => {
    expect(refusalOfIssuer(issuer)).toEqual([
      'spec.auth.authorizationServer.issuer: must be an https:// URL without trailing slash, query and fragment',
    ]);
  });
  it('refuses a user and a password', () => {
    expect(refusalOfIssuer('https://user:secret@issuer.example.com')).toEqual([
      'spec.auth.authorizationServer.issuer: must not contain a user or a password: an issuer has none',
    ]);
  });
  it('is required', () => {
    expect(refusalOf(withAuth({ type: 'oauth', authorizationServer: {} }))).toEqual([
      'spec.auth.authorizationServer.issuer: issuer is required',
    ]);
  });
});

requirement('2.6/authorization-server-scopes', () => {
  const refusalOfScopes = (scopes: string): readonly string[] =>
    refusalOf(
      withAuth({ type: 'oauth', authorizationServer: { issuer: 'https://a.example', scopes } }),
    );

  it.each(['read', 'read write', 'https://example.com/scope a:b'])('accepts %j', (scopes) => {
    expect(refusalOfScopes(scopes)).toEqual([]);
  });
  it.each(['read  write', ' read', 'read ', 'read\twrite', 'a"b', 'a\\b', 'é'])(
    'refuses %j',
    (scopes) => {
      expect(refusalOfScopes(scopes)).toEqual([
        'spec.auth.authorizationServer.scopes: must be OAuth scope tokens separated by single spaces',
      ]);
    },
  );
});
