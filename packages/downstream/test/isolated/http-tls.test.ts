import { setImmediate } from 'node:timers/promises';
import * as tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { retryAssertion } from '@gateway/repo-checks';
import { createSelfSignedCertificate } from '@gateway/test-peers';
import { listen, openConnections, portOf, send } from '../harness/raw-socket.ts';

/** Starts a TLS server that answers each request, and counts its connections and the resumed sessions among them. */
const startTls = async ({ isTrusted = true, body = 'ok' } = {}) => {
  const certificate = await createSelfSignedCertificate();
  if (isTrusted) tls.setDefaultCACertificates([certificate.cert]);
  const seen = { connections: 0, resumed: 0, protocols: new Set<unknown>() };
  const options = { ...certificate, ALPNProtocols: ['h2', 'http/1.1'] };
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const server = tls.createServer(options, (socket) => {
    seen.connections += 1;
    seen.protocols.add(socket.alpnProtocol);
    if (socket.isSessionReused()) seen.resumed += 1;
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(head + body));
  });
  server.on('tlsClientError', () => undefined);
  return { seen, port: portOf(await listen(server)) };
};

describe('a connection with TLS', () => {
  it('is refused with a certificate that is not trusted', async () => {
    const { port, seen } = await startTls({ isTrusted: false });
    const failure = expect.stringMatching(/^self-signed certificate/u) as string;
    expect(await send(await openConnections(), `https://127.0.0.1:${port}`)).toEqual({ failure });
    expect(seen.connections).toBe(0);
  });

  it('speaks HTTP/1.1 to a trusted server, is used again, and resumes its session', async () => {
    const { port, seen } = await startTls();
    const connections = await openConnections();
    const origin = `https://localhost:${port}`;
    const ok = { status: 200, body: 'ok' };
    for (let round = 0; round < 2; round += 1) {
      expect(await send(connections, origin)).toEqual(ok);
      await setImmediate();
    }
    expect(seen).toEqual({ connections: 1, resumed: 0, protocols: new Set(['http/1.1']) });
    const both = [send(connections, origin), send(connections, origin)];
    expect(await Promise.all(both)).toEqual([ok, ok]);
    await retryAssertion(() => expect(seen).toMatchObject({ connections: 2, resumed: 1 }));
    connections.close();
  });

  it('is refused when the certificate is for another name', async () => {
    const { port } = await startTls();
    const failure = expect.stringMatching(/ECONNREFUSED|ALTNAME/u) as string;
    expect(await send(await openConnections(), `https://127.0.0.2:${port}`)).toEqual({ failure });
  });

  it('reads a long response', async () => {
    const body = 'é'.repeat(3_000_000);
    const { port } = await startTls({ body });
    const connections = await openConnections();
    const outcome = await send(connections, `https://127.0.0.1:${port}`);
    expect(outcome).toEqual({ status: 200, body });
    connections.close();
  });
});
