import { setImmediate } from 'node:timers/promises';
import { createServer } from 'node:tls';
import * as tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { retryAssertion } from '@gateway/repo-checks';
import { createSelfSignedCertificate } from '@gateway/test-peers';
import { openConnections, portOf, send } from '../harness/raw-socket.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Starts a TLS server that answers each request, and counts its connections and the resumed sessions among them. */
const startTls = async () => {
  const certificate = await createSelfSignedCertificate();
  const seen = { connections: 0, resumed: 0, protocols: new Set<unknown>() };
  const server = createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    seen.connections += 1;
    seen.protocols.add(socket.alpnProtocol);
    if (socket.isSessionReused()) seen.resumed += 1;
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(OK));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  return { ...certificate, seen, port: portOf(server) };
};

describe('a connection with TLS', () => {
  it('is refused with a certificate that is not trusted', async () => {
    const { port, seen } = await startTls();
    expect(await send(await openConnections(), `https://127.0.0.1:${port}`)).toEqual({
      failure: expect.stringMatching(/^self-signed certificate/u) as string,
    });
    expect(seen.connections).toBe(0);
  });

  it('speaks HTTP/1.1 to a trusted server, is used again, and resumes its session', async () => {
    const { port, cert, seen } = await startTls();
    tls.setDefaultCACertificates([cert]);
    const connections = await openConnections();
    const origin = `https://localhost:${port}`;
    const ok = { status: 200, body: 'ok' };
    expect(await send(connections, origin)).toEqual(ok);
    await setImmediate();
    expect(await send(connections, origin)).toEqual(ok);
    await setImmediate();
    expect(seen).toEqual({ connections: 1, resumed: 0, protocols: new Set(['http/1.1']) });
    expect(await Promise.all([send(connections, origin), send(connections, origin)])).toEqual([
      ok,
      ok,
    ]);
    await retryAssertion(() => expect(seen).toMatchObject({ connections: 2, resumed: 1 }));
    connections.close();
  });

  it('is refused when the certificate is for another name', async () => {
    const { port, cert } = await startTls();
    tls.setDefaultCACertificates([cert]);
    const failure = await send(await openConnections(), `https://127.0.0.2:${port}`);
    expect(failure).toMatchObject({
      failure: expect.stringMatching(/ECONNREFUSED|ALTNAME/u) as string,
    });
  });

  it('reads a long response', async () => {
    const certificate = await createSelfSignedCertificate();
    tls.setDefaultCACertificates([certificate.cert]);
    const body = 'é'.repeat(3_000_000);
    const server = createServer(certificate, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 6000000\r\n\r\n${body}`),
      );
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const connections = await openConnections();
    expect(await send(connections, `https://127.0.0.1:${portOf(server)}`)).toEqual({
      status: 200,
      body,
    });
    connections.close();
  });
});
