import { expect, it } from 'vitest';
import { CLAIMS, serve, startIssuer, startVerifying, verifying } from './issuer.ts';

it('reports an issuer that names another one once at the start', async () => {
  const metadataFields = { issuer: 'https://other.example' };
  const { failures, provider } = await startVerifying({}, { metadataFields });
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toContain(
    `the metadata of ${provider.issuer} names another issuer; configure that one`,
  );
  expect(failures).toHaveLength(1);
});

it('names the value to configure when the issuer differs by a slash at the end', async () => {
  const origin: string = await serve((_request, response) => {
    response.writeHead(200).end(JSON.stringify({ issuer: `${origin}/`, jwks_uri: null }));
  });
  const { failures } = await verifying({ issuer: origin });
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toContain(
    `the metadata of ${origin} names the issuer ${origin}/: the slash at the end differs; configure ${origin}/`,
  );
});

it('reports an issuer that does not answer at the start, and accepts its tokens when it answers', async () => {
  const provider = await startIssuer();
  let isAway = true;
  const origin: string = await serve((_request, response) => {
    if (isAway) {
      response.writeHead(503).end();
      return;
    }
    const metadata = { issuer: origin, jwks_uri: `${provider.issuer}/jwks` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  // The second issuer makes the address of the keys one of the configuration.
  const { failures, verifier } = await verifying({ issuer: origin }, { issuer: provider.issuer });
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toContain(`the metadata of ${origin} cannot be read`);
  isAway = false;
  const token = await provider.sign({ ...CLAIMS, iss: origin });
  expect(await verifier.verify(token)).toMatchObject({ ok: true });
  expect(failures).toHaveLength(1);
});
