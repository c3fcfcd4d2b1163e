import { eventually } from '@gateway/repo-checks';
import { createMemoryStore } from '@gateway/state-store';
import { afterEach, describe, expect, it } from 'vitest';
import { createBroker } from '../../src/broker/create-broker.ts';
import { brokerSchema } from '../../src/broker/settings/broker-settings.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from './harness/gateway.ts';

const started: TestGateway[] = [];
afterEach(async () => {
  for (const gateway of started.splice(0)) await gateway.close();
});

const failuresOf = async (options: TestGatewayOptions): Promise<readonly string[]> => {
  const gateway = await startGateway(options);
  started.push(gateway);
  await eventually(() => {
    expect(gateway.failures).not.toEqual([]);
  });
  return gateway.failures;
};

describe('the start', () => {
  it('reports metadata of another issuer, before anybody signs in', async () => {
    const failures = await failuresOf({
      provider: { metadataFields: { issuer: 'https://other.test' } },
    });
    expect(failures).toEqual([
      expect.stringMatching(
        /^http:\S+ cannot sign persons in: its metadata names another issuer; copy auth\.broker\.upstream\.issuer from there$/u,
      ),
    ]);
  });

  it('reports a provider with http at an address that is not of this computer', async () => {
    const failures = await failuresOf({
      upstream: () => Promise.resolve({ issuer: 'http://10.1.2.3' }),
    });
    expect(failures).toEqual([
      expect.stringMatching(/^http:\/\/10\.1\.2\.3 cannot sign persons in: .*https/u),
    ]);
  });

  it('is refused without the file of the client secret', async () => {
    const store = createMemoryStore();
    const broker = createBroker({
      settings: brokerSchema.parse({
        upstream: { issuer: 'http://127.0.0.1:9', clientId: 'gateway', clientSecretFile: 'secret' },
      }),
      publicUrl: new URL('http://127.0.0.1:7'),
      resource: 'http://127.0.0.1:7/mcp',
      adminGroups: [],
      allowPrivate: false,
      store,
      readSecret: () => Promise.reject(new Error('the secret file secret cannot be read')),
      requiredAudiences: () => [],
      returnPath: '/return',
      onFailure: () => undefined,
    });
    await expect(broker).rejects.toThrow('the secret file secret cannot be read');
    await store.close();
  });
});
