import { startProtectedServer, startProvider, type ProviderOptions } from '@gateway/test-peers';
import type { ProtectedOptions } from '@gateway/test-peers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHome, runLogin, run, type UserHome } from '../../sign-in/sign-in-command.ts';

let home: UserHome;
const closings: (() => Promise<void>)[] = [];
beforeEach(() => {
  home = createHome();
});
afterEach(async () => {
  home.remove();
  for (const close of closings.splice(0)) await close();
});

const start = async (provider: ProviderOptions = {}, server: ProtectedOptions = {}) => {
  const issuer = await startProvider(provider);
  const resource = await startProtectedServer({ issuers: [issuer.issuer], ...server });
  closings.push(issuer.close, resource.close);
  return { provider: issuer, server: resource };
};

const toFailure = async (args: readonly string[]): Promise<string> => {
  const { code, stderr, stdout } = await run(home, ['auth', 'login', '--no-browser', ...args]);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  return stderr;
};

describe('gateway auth login refuses', () => {
  it('plain http, except for loopback addresses', async () => {
    expect(await toFailure(['http://gateway.example.com/mcp'])).toBe(
      'gateway: sign-in requires https, and http://gateway.example.com is not\n',
    );
  });

  it('metadata of another resource', async () => {
    const { server } = await start(
      {},
      { metadataFields: { resource: 'https://evil.example/mcp' } },
    );
    expect(await toFailure([server.url])).toBe(
      `gateway: the sign-in metadata of ${server.url} is for another address: use the URL under which the gateway is published\n`,
    );
  });

  it('metadata that is not complete', async () => {
    const { server } = await start({}, { metadataFields: { authorization_servers: [] } });
    expect(await toFailure([server.url])).toBe(
      `gateway: the sign-in metadata of ${server.origin} is not valid\n`,
    );
  });

  it('an issuer that does not answer, and names it', async () => {
    const { provider, server } = await start();
    await provider.close();
    expect(await toFailure([server.url])).toContain(provider.issuer);
  });

  it('a server without metadata', async () => {
    const { server } = await start({}, { metadata: 'none' });
    expect(await toFailure([server.url])).toBe(
      `gateway: ${server.url} requires a sign-in and does not say where\n`,
    );
  });

  it('metadata of another issuer', async () => {
    const { server, provider } = await start({
      metadataFields: { issuer: 'https://evil.example' },
    });
    expect(await toFailure([server.url])).toContain(
      `gateway: the sign-in at ${provider.issuer} failed (OAUTH_`,
    );
    expect(provider.count('/reg')).toBe(0);
  });

  it('an authorization server without PKCE', async () => {
    const { server, provider } = await start({
      metadataFields: { code_challenge_methods_supported: ['plain'] },
    });
    expect(await toFailure([server.url])).toBe(
      `gateway: ${provider.issuer} does not support PKCE with S256\n`,
    );
  });

  it('an authorization server that does not know the client', async () => {
    const { server, provider } = await start({ registration: false });
    expect(await toFailure([server.url])).toBe(
      `gateway: ${provider.issuer} does not register clients: name one that it knows with --client-id\n`,
    );
  });

  it('an issuer that the gateway does not name', async () => {
    const { server, provider } = await start();
    expect(await toFailure(['--issuer', 'https://evil.example', server.url])).toBe(
      `gateway: --issuer: the gateway names only ${provider.issuer}\n`,
    );
  });

  it('a response without the issuer that the metadata announces', async () => {
    const { server, provider } = await start({ sendsIssuer: false });
    const refused = await runLogin(home, [server.url]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`gateway: the sign-in at ${provider.issuer} failed (OAUTH_`);
    expect(provider.count('/token')).toBe(0);
  });

  it('the device flow where the server has none', async () => {
    const { server, provider } = await start({
      metadataFields: { device_authorization_endpoint: undefined },
    });
    expect(await toFailure(['--device', server.url])).toBe(
      `gateway: ${provider.issuer} has no device flow: omit --device\n`,
    );
  });

  it('nothing of a gateway that requires no sign-in', async () => {
    const { server } = await start({}, { issuers: [] });
    expect(await run(home, ['auth', 'login', server.url])).toMatchObject({
      code: 0,
      stdout: `${server.url} does not require a sign-in\n`,
    });
  });
});

describe('the client of a sign-in', () => {
  it('is the one that the user names', async () => {
    const { server, provider } = await start({
      registration: false,
      clients: [
        {
          client_id: 'known-cli',
          application_type: 'native',
          redirect_uris: ['http://127.0.0.1/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        },
      ],
    });
    const signedIn = await runLogin(home, ['--client-id', 'known-cli', server.url]);
    expect(signedIn).toMatchObject({ code: 0 });
    expect(provider.count('/token', { client_id: 'known-cli' })).toBe(1);
  });

  it('has a secret in the environment', async () => {
    const secret = 'a+b%c:/d'.padEnd(40, 'x');
    const { server } = await start({
      clients: [
        {
          client_id: 'known+cli',
          client_secret: secret,
          application_type: 'native',
          redirect_uris: ['http://127.0.0.1/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    });
    const withSecret = { ...home, env: { ...home.env, GATEWAY_CLIENT_SECRET: secret } };
    const signedIn = await runLogin(withSecret, ['--client-id', 'known+cli', server.url]);
    expect(signedIn).toMatchObject({ code: 0 });
  });
});
