import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectOf, portsOver } from './ports.ts';

const shownConfig = (config: Readonly<Record<string, unknown>>): Promise<unknown> =>
  objectOf('core_config_get', {}, { ...portsOver(), config: () => config });

describe('core_config_get', () => {
  it('shows the configuration without secrets', async () => {
    expect(
      await shownConfig({
        port: 8090,
        oauth: {
          clientId: 'gateway',
          clientSecret: 'hush',
          registrationToken: 'hush',
          encryptionKey: 'hush',
          storage: {
            password: 'hush',
            pin_token: 1234,
            url: 'redis://user:hush@redis.example:6379',
          },
        },
        servers: [{ env: { A: 'hush', B: 7 }, headers: { 'X-Api': 'hush' } }],
      }),
    ).toEqual({
      port: 8090,
      oauth: {
        clientId: 'gateway',
        clientSecret: '***',
        registrationToken: '***',
        encryptionKey: '***',
        storage: { password: '***', pin_token: '***', url: 'redis://***@redis.example:6379' },
      },
      servers: [{ env: { A: '***', B: '***' }, headers: { 'X-Api': '***' } }],
    });
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
    const args = [
      ...[
        'run',
        '-e',
        'GITHUB_TOKEN=hush',
        '-e',
        'GITHUB_TOKEN',
        '--env=API_KEY=hush',
        '-e',
        'A=b',
      ],
      ...['--header', 'Authorization: Bearer hush', '--header=X-Api-Key:hush', '-H', 'Accept: a/b'],
      ...['http://me:pa@hush@h/', `http://${'p'.repeat(2_000)}:hush@h/`, 'sort-keyboard=b'],
      ...[`http://h/?token=${'p'.repeat(10_000)}hush`, 'http://h/#access_token=hush'],
      ...["curl 'http://h/?token=hush' -v", 'http://h/?a=b'],
    ];
    expect(await shownConfig({ args })).toEqual({
      args: [
        ...[
          'run',
          '-e',
          'GITHUB_TOKEN=***',
          '-e',
          'GITHUB_TOKEN',
          '--env=API_KEY=***',
          '-e',
          'A=b',
        ],
        ...['--header', 'Authorization: ***', '--header=X-Api-Key:***', '-H', 'Accept: a/b'],
        ...['http://***@h/', 'http://***@h/', 'sort-keyboard=b'],
        ...['http://h/?token=***', 'http://h/#access_token=***'],
        ...["curl 'http://h/?token=*** -v", 'http://h/?a=b'],
      ],
    });
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
    await fc.assert(
      fc.asyncProperty(
        map,
        fc.constantFrom('env', 'headers'),
        path,
        async (secrets, key, steps) => {
          const config = steps.reduce<Record<string, unknown>>(
            (inner, step) => ({ [step]: inner }),
            { [key]: secrets },
          );
          const shown = JSON.stringify(await shownConfig(config));
          expect(shown).not.toContain('S3cr3t');
          expect(shown.split('***')).toHaveLength(Object.keys(secrets).length + 1);
        },
      ),
      { numRuns: 100 },
    );
  });
});
