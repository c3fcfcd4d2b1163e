import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { validateLocalPortal, serveLocalPortal } from '../src/index.ts';
import { startService } from './harness/peer-service.ts';

it('reaches a gateway that listens on all addresses, and its metrics', async () => {
  const peer = await startService((_request, response) => response.end('of the gateway'));
  const webRoot = mkdtempSync(join(tmpdir(), 'local-portal-'));
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<base href="__BASE__">');
  const { port } = new URL(peer.url);
  const served = await serveLocalPortal({
    ...{ port: 0, webRoot, gateway: `http://0.0.0.0:${port}` },
    log: { warn: () => undefined, info: () => undefined },
  });
  if (!served.ok) throw new Error(served.problem);
  onTestFinished(async () => {
    await served.portal.drain(0);
    rmSync(webRoot, { recursive: true });
  });
  expect(new URL(served.portal.url).hostname).toBe('127.0.0.1');
  const metrics = await fetch(new URL('metrics', served.portal.url));
  expect(await metrics.text()).toBe('of the gateway');
  expect(peer.received.map(({ url }) => url)).toEqual(['/metrics']);
});

it('is for gateways without sign-in', () => {
  expect([validateLocalPortal('none'), validateLocalPortal('broker')]).toEqual([
    undefined,
    '--portal is for gateways without sign-in, and auth.mode is broker: start "portal serve" with --issuer, where users sign in',
  ]);
});
