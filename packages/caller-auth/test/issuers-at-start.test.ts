import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { CLAIMS, issuers, verifying } from './issuer.ts';

const { start, end } = issuers();

it('reports an issuer that names another one once at the start', async () => {
  const provider = await start({ metadataFields: { issuer: 'https://other.example' } });
  onTestFinished(end);
  const { failures } = await verifying({ issuer: provider.issuer });
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toContain(
    `the metadata of ${provider.issuer} names another issuer; configure that one`,
  );
  expect(failures).toHaveLength(1);
});

it('names the value to configure when the issuer differs by a slash at the end', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200).end(JSON.stringify({ issuer: `${origin}/`, jwks_uri: null }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { failures } = await verifying({ issuer: origin });
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toContain(
    `the metadata of ${origin} names the issuer ${origin}/: the slash at the end differs; configure ${origin}/`,
  );
});

it('reports an issuer that does not answer at the start, and accepts its tokens when it answers', async () => {
  const provider = await start();
  onTestFinished(end);
  let isAway = true;
  const server = createServer((_request, response) => {
    if (isAway) {
      response.writeHead(503).end();
      return;
    }
    const metadata = { issuer: origin, jwks_uri: `${provider.issuer}/jwks` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The second issuer makes the address of the keys one of the configuration.
  const { failures, verifier } = await verifying({ issuer: origin }, { issuer: provider.issuer });
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toContain(`the metadata of ${origin} cannot be read`);
  isAway = false;
  const token = await provider.sign({ ...CLAIMS, iss: origin });
  expect(await verifier.verify(token)).toMatchObject({ ok: true });
  expect(failures).toHaveLength(1);
});
