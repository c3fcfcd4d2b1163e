import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectOf, portsOver } from './ports.ts';

const shownConfig = (config: Readonly<Record<string, unknown>>): Promise<unknown> =>
  objectOf('core_config_get', {}, { ...portsOver(), config: () => config });

describe('core_config_get', () => {
  it('shows the configuration without secrets', async () => {
    const shown = (secret: string, number: unknown, userinfo: string) => ({
      port: 8090,
      oauth: {
        clientId: 'gateway',
        clientSecret: secret,
        registrationToken: secret,
        encryptionKey: secret,
        storage: {
          password: secret,
          pin_token: number,
          url: `redis://${userinfo}@redis.example:6379`,
        },
      },
      servers: [{ env: { A: secret, B: number }, headers: { 'X-Api': secret } }],
    });
    expect(await shownConfig(shown('hush', 1234, 'user:hush'))).toEqual(shown('***', '***', '***'));
  });

  it('leaves text unchanged that only mentions secrets', async () => {
    const config = {
      forwardToken: true,
      dexTokenEndpoint: 'https://dex.example/token',
      clientCredentialsSecretRef: { name: 'credentials', clientSecretKey: 'client-secret' },
      passwordFile: '/run/secrets/password',
      clientSecret: '',
      toolsetPresets: { team: { include: [{ tool: 'x_vault_get_secret' }] } },
    };
    expect(await shownConfig(config)).toEqual(config);
  });

  it('redacts variables and headers in arguments, and all secrets in URLs', async () => {
    const pairs = [
      ['run', 'run'],
      ['-e', '-e'],
      ['GITHUB_TOKEN=hush', 'GITHUB_TOKEN=***'],
      ['-e', '-e'],
      ['GITHUB_TOKEN', 'GITHUB_TOKEN'],
      ['--env=API_KEY=hush', '--env=API_KEY=***'],
      ['-e', '-e'],
      ['A=b', 'A=b'],
      ['--header', '--header'],
      ['Authorization: Bearer hush', 'Authorization: ***'],
      ['--header=X-Api-Key:hush', '--header=X-Api-Key:***'],
      ['-H', '-H'],
      ['Accept: a/b', 'Accept: a/b'],
      ['http://me:pa@hush@h/', 'http://***@h/'],
      [`http://${'p'.repeat(2_000)}:hush@h/`, 'http://***@h/'],
      ['sort-keyboard=b', 'sort-keyboard=b'],
      [`http://h/?token=${'p'.repeat(10_000)}hush`, 'http://h/?token=***'],
      ['http://h/#access_token=hush', 'http://h/#access_token=***'],
      ["curl 'http://h/?token=hush' -v", "curl 'http://h/?token=*** -v"],
      ['http://h/?a=b', 'http://h/?a=b'],
    ];
    const args = pairs.map(([arg]) => arg);
    expect(await shownConfig({ args })).toEqual({ args: pairs.map(([, shown]) => shown) });
  });

  it('keeps keys of the prototype as data', async () => {
    const shown = await shownConfig(
      JSON.parse('{"env":{"__proto__":"hush"},"__proto__":{"a":1}}') as Record<string, unknown>,
    );
    expect(JSON.stringify(shown)).toBe('{"env":{"__proto__":"***"},"__proto__":{"a":1}}');
  });

  it('never shows a value of env or headers, at any depth', async () => {
    const map = fc.dictionary(
      fc.string().map((key) => key.replaceAll('*', '+')),
      fc.nat().map((n) => `S3cr3t-${String(n)}`),
    );
    const path = fc.array(fc.constantFrom('a', 'auth', 'servers'), { maxLength: 4 });
    const place = fc.constantFrom('env', 'headers');
    await fc.assert(
      fc.asyncProperty(map, place, path, async (secrets, key, steps) => {
        const start: Readonly<Record<string, unknown>> = { [key]: secrets };
        const config = steps.reduce((inner, step) => ({ [step]: inner }), start);
        const shown = JSON.stringify(await shownConfig(config));
        expect(shown).not.toContain('S3cr3t');
        expect(shown.split('***')).toHaveLength(Object.keys(secrets).length + 1);
      }),
      { numRuns: 100 },
    );
  });
});
