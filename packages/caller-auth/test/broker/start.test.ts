import { createMemoryStore } from '@gateway/state-store';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBroker } from '../../src/broker/create-broker.ts';
import { brokerSchema } from '../../src/auth-settings.ts';
import { start } from './harness/client.ts';
import type { TestGatewayOptions } from './harness/gateway.ts';

const failuresOf = async (options: TestGatewayOptions): Promise<readonly string[]> => {
  const { failures } = await start(options);
  await expect.poll(() => failures).not.toEqual([]);
  return failures;
};

describe('the start', () => {
  it('reports metadata of another issuer, before anybody signs in', async () => {
    const failures = await failuresOf({
      provider: { metadataFields: { issuer: 'https://other.test' } },
    });
    expect(failures).toEqual([
      expect.stringMatching(
        /^http:\S+ cannot sign users in: its metadata names another issuer; copy auth\.broker\.upstream\.issuer from there$/u,
      ),
    ]);
  });

  it.each([
    [
      'an issuer that differs by a slash at the end',
      (issuer: string) => JSON.stringify({ issuer: `${issuer}/` }),
      'its metadata names the issuer ISSUER/: the slash at the end differs; set auth.broker.upstream.issuer to ISSUER/',
    ],
    [
      'a page in place of metadata',
      () => '<!doctype html>',
      'its metadata is not valid (the answer is an HTML page, not JSON)',
    ],
    ['no metadata', () => undefined, 'its metadata is not valid (HTTP 404)'],
  ])('reports %s', async (_what, metadata, problem) => {
    const server = createServer((_request, response) => {
      const body = metadata(issuer);
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenant`;
    const failures = await failuresOf({ upstream: () => Promise.resolve({ issuer }) });
    expect(failures.map((line) => line.replaceAll(issuer, 'ISSUER'))).toEqual([
      `ISSUER cannot sign users in: ${problem}`,
    ]);
  });

  it('reports a provider with http at an address that is not of this computer', async () => {
    const failures = await failuresOf({
      upstream: () => Promise.resolve({ issuer: 'http://10.1.2.3' }),
    });
    expect(failures).toEqual([
      expect.stringMatching(/^http:\/\/10\.1\.2\.3 cannot sign users in: .*https/u),
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
