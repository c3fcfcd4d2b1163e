import { createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import process from 'node:process';
import * as tls from 'node:tls';
import { createGuardedFetch } from '@gateway/guarded-fetch';
import { createSelfSignedCertificate } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectServer } from '../../src/index.ts';
import { running } from '../harness/downstream.ts';
import { call, fine, remote } from '../harness/http-connection.ts';
import { startRawHttp } from '../harness/raw-http.ts';
import { listen, portOf } from '../harness/raw-socket.ts';

/** Starts a proxy that finds all hosts at one port of this machine, and names it in the environment. */
const startProxy = async (port: number) => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    const { method, headers } = request;
    const { host, pathname } = new URL(request.url ?? '');
    seen.push(`${method ?? ''} ${host}${pathname}`);
    const onward = httpRequest({ port, method, path: pathname, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url ?? ''}`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) one.on('error', () => socket.destroy());
  });
  const url = `http://127.0.0.1:${portOf(await listen(proxy))}`;
  Object.assign(process.env, { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: 'direct.example' });
  onTestFinished(() => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'])
      Reflect.deleteProperty(process.env, name);
    proxy.close().closeAllConnections();
  });
  return seen;
};

describe('with a proxy in the environment', () => {
  it('a server is connected through it, and its name is resolved by it', async () => {
    const raw = await startRawHttp();
    const seen = await startProxy(raw.port);
    const { downstream } = await running([remote('http://mcp.example/mcp')]);
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(seen).toContain('POST mcp.example/mcp');
    expect(raw.headers[0]?.host).toBe('mcp.example');
  });

  it('a server of this machine is connected without it', async () => {
    const raw = await startRawHttp();
    const seen = await startProxy(raw.port);
    const { downstream } = await running([remote(raw.url)]);
    expect(await downstream.callTool(call)).toEqual(fine);
    expect(seen).toEqual([]);
  });

  it('https to an identity provider is a tunnel, and its certificate is still checked', async () => {
    const certificate = await createSelfSignedCertificate();
    tls.setDefaultCACertificates([certificate.cert]);
    const server = tls.createServer(certificate, (socket) => socket.on('error', () => undefined));
    const seen = await startProxy(portOf(await listen(server)));
    const fetch = createGuardedFetch({ allowPrivate: false, maxBytes: 1_000, timeoutMs: 10_000 });
    await expect(fetch('https://provider.example/keys')).rejects.toThrow(
      'the connection failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    );
    expect(seen).toEqual(['CONNECT provider.example:443']);
  });

  it('an address in a URL is still checked, and a host of NO_PROXY is resolved and checked', async () => {
    const raw = await startRawHttp();
    const seen = await startProxy(raw.port);
    const options = { clientInfo: { name: 'gateway', version: '0.0.0' }, allowPrivate: true };
    const resolve = () => Promise.resolve([{ address: '169.254.169.254', family: 4 }]);
    const detail = 'has a metadata address, which is never asked';
    for (const host of ['169.254.169.254', 'direct.example'])
      expect(
        await detectServer(
          { url: `http://${host}/mcp`, timeoutMs: 5_000 },
          { ...options, resolve },
        ),
      ).toEqual({ kind: 'refused', detail: `${host} ${detail}` });
    expect(seen).toEqual([]);
  });
});
