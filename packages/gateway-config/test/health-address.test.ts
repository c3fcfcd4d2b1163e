import { describe, expect, it } from 'vitest';
import { resolveHealthAddress, parseConfig } from '../src/index.ts';

const OPTIONS = { host: '10.0.0.1', healthListener: true };

const addressOf = (
  health: object,
  options: Partial<Parameters<typeof resolveHealthAddress>[1]> = {},
) => {
  const parsed = parseConfig({ health });
  return parsed.ok ? resolveHealthAddress(parsed.config, { ...OPTIONS, ...options }) : parsed;
};

describe('the address of probes and metrics', () => {
  it('is port 9464 of the host of the endpoint, which no key names', () => {
    expect(addressOf({})).toEqual({ host: '10.0.0.1', port: 9464, isConfigured: false });
  });

  it('is the configured port, even when that is 9464', () => {
    expect(addressOf({ port: 9464 })).toEqual({ host: '10.0.0.1', port: 9464, isConfigured: true });
  });

  it('is the port of the command line rather than that of the configuration', () => {
    expect(addressOf({ host: '127.0.0.1', port: 1 }, { healthPort: 0 })).toEqual({
      host: '127.0.0.1',
      port: 0,
      isConfigured: true,
    });
  });

  it('is absent when the configuration or the command line disables it', () => {
    expect(addressOf({ enabled: false }, { healthPort: 1 })).toBeUndefined();
    expect(addressOf({ port: 1 }, { healthListener: false })).toBeUndefined();
  });
});
