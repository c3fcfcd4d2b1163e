import { describe, expect, it } from 'vitest';
import { chooseCoreToolWrites, isLoopbackHost, parseConfig } from '../src/index.ts';

const configOf = (document: object) => {
  const parsed = parseConfig(document);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.config;
};

describe('a listen address', () => {
  it.each(['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '::ffff:127.0.0.1', 'localhost'])(
    '%j accepts clients of this machine only',
    async (host) => {
      expect(await isLoopbackHost(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '', '128.0.0.1', '10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.invalid'])(
    '%j does not',
    async (host) => {
      expect(await isLoopbackHost(host)).toBe(false);
    },
  );
});

describe('core tools that write', () => {
  it('are all permitted to clients of this machine, and to no other, by default', () => {
    const config = configOf({});
    expect(chooseCoreToolWrites(config, { option: undefined, isLocal: true })).toBe('all');
    expect(chooseCoreToolWrites(config, { option: undefined, isLocal: false })).toBe('none');
  });

  it('are all permitted by default where callers sign in, on every address', () => {
    const issuers = [{ issuer: 'https://idp.example', audiences: ['gateway'] }];
    const config = configOf({ auth: { mode: 'resource-server', issuers } });
    expect(chooseCoreToolWrites(config, { option: undefined, isLocal: false })).toBe('all');
    const limited = configOf({
      auth: { mode: 'resource-server', issuers },
      coreTools: { writes: 'none' },
    });
    expect(chooseCoreToolWrites(limited, { option: undefined, isLocal: false })).toBe('none');
  });

  it('are permitted as coreTools.writes says, on every address', () => {
    const config = configOf({ coreTools: { writes: 'workflows' } });
    expect(chooseCoreToolWrites(config, { option: undefined, isLocal: true })).toBe('workflows');
    expect(chooseCoreToolWrites(config, { option: undefined, isLocal: false })).toBe('workflows');
  });

  it('are permitted as the option of the command line says, above all', () => {
    const config = configOf({ coreTools: { writes: 'all' } });
    expect(chooseCoreToolWrites(config, { option: 'none', isLocal: true })).toBe('none');
  });
});
