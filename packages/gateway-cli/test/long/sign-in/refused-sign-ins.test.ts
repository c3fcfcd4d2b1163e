import { startProtectedServer, startProvider, type ProviderOptions } from '@gateway/test-peers';
import type { ProtectedOptions } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useHome } from '../../sign-in/sign-in-command.ts';

const { auth, login } = useHome();

const start = async (options: ProviderOptions = {}, protection: ProtectedOptions = {}) => {
  const provider = await startProvider(options);
  const server = await startProtectedServer({ issuers: [provider.issuer], ...protection });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  return { provider, server };
};

/** Returns the failure of a sign-in with these options, which prints nothing else. */
const fail = async (...args: readonly string[]): Promise<string> => {
  const { code, stderr, stdout } = await auth('login', '--no-browser', ...args);
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  return stderr;
};

describe('gateway auth login refuses', () => {
  it('plain http, except for loopback addresses', async () => {
    expect(await fail('http://gateway.example.com/mcp')).toBe(
      'gateway: sign-in requires https, and http://gateway.example.com is not\n',
    );
  });

  it.each<[string, ProtectedOptions, string]>([
    [
      'metadata of another resource',
      { metadataFields: { resource: 'https://evil.example/mcp' } },
      'the sign-in metadata of URL is for another address: use the URL under which the gateway is published',
    ],
    [
      'metadata that is not complete',
      { metadataFields: { authorization_servers: [] } },
      'the sign-in metadata of ORIGIN is not valid',
    ],
    [
      'a server without metadata',
      { metadata: 'none' },
      'URL requires a sign-in and does not say where',
    ],
  ])('%s', async (_what, protection, text) => {
    const { server } = await start({}, protection);
    const reason = text.replace('URL', server.url).replace('ORIGIN', server.origin);
    expect(await fail(server.url)).toBe(`gateway: ${reason}\n`);
  });

  it.each<[string, ProviderOptions, readonly string[], string]>([
    [
      'an authorization server without PKCE',
      { metadataFields: { code_challenge_methods_supported: ['plain'] } },
      [],
      'ISSUER does not support PKCE with S256',
    ],
    [
      'an authorization server that does not know the client',
      { registration: false },
      [],
      'ISSUER does not register clients: name one that it knows with --client-id',
    ],
    [
      'an issuer that the gateway does not name',
      {},
      ['--issuer', 'https://evil.example'],
      '--issuer: the gateway names only ISSUER',
    ],
    [
      'the device flow where the server has none',
      { metadataFields: { device_authorization_endpoint: undefined } },
      ['--device'],
      'ISSUER has no device flow: omit --device',
    ],
  ])('%s', async (_what, options, args, text) => {
    const { server, provider } = await start(options);
    const reason = text.replace('ISSUER', provider.issuer);
    expect(await fail(...args, server.url)).toBe(`gateway: ${reason}\n`);
  });

  it('an issuer that does not answer, and names it', async () => {
    const { provider, server } = await start();
    await provider.close();
    expect(await fail(server.url)).toContain(provider.issuer);
  });

  it('metadata of another issuer', async () => {
    const { server, provider } = await start({
      metadataFields: { issuer: 'https://evil.example' },
    });
    const text = `gateway: the sign-in at ${provider.issuer} failed (OAUTH_`;
    expect(await fail(server.url)).toContain(text);
    expect(provider.count('/reg')).toBe(0);
  });

  it('a response without the issuer that the metadata announces', async () => {
    const { server, provider } = await start({ sendsIssuer: false });
    const { code, stderr } = await login([server.url]);
    expect(code).toBe(1);
    expect(stderr).toContain(`gateway: the sign-in at ${provider.issuer} failed (OAUTH_`);
    expect(provider.count('/token')).toBe(0);
  });

  it('nothing of a gateway that requires no sign-in', async () => {
    const { server } = await start({}, { issuers: [] });
    const stdout = `${server.url} does not require a sign-in\n`;
    expect(await auth('login', server.url)).toMatchObject({ code: 0, stdout });
  });
});

describe('the client of a sign-in', () => {
  const native = {
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
  } as const;

  it('is the one that the user names', async () => {
    const client = {
      ...native,
      client_id: 'known-cli',
      token_endpoint_auth_method: 'none',
    } as const;
    const { server, provider } = await start({ registration: false, clients: [client] });
    expect(await login(['--client-id', 'known-cli', server.url])).toMatchObject({ code: 0 });
    expect(provider.count('/token', { client_id: 'known-cli' })).toBe(1);
  });

  it('has a secret in the environment', async () => {
    const secret = 'a+b%c:/d'.padEnd(40, 'x');
    const identity = { client_id: 'known+cli', client_secret: secret };
    const method = { token_endpoint_auth_method: 'client_secret_basic' } as const;
    const { server } = await start({ clients: [{ ...native, ...identity, ...method }] });
    const env = { GATEWAY_CLIENT_SECRET: secret };
    const signedIn = await login(['--client-id', 'known+cli', server.url], {}, env);
    expect(signedIn).toMatchObject({ code: 0 });
  });
});
