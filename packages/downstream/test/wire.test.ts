import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { HttpConnections } from '../src/wire/http/http-connections.ts';
import { HttpWire } from '../src/wire/http/http-wire.ts';
import { SdkWire } from './sdk-wire.ts';
import { wireSuite } from './wire.suite.ts';

const silent = { onStatus: () => undefined, onNetworkError: () => undefined };

wireSuite('the own wire', (url, headers) => {
  const options = { connectTimeoutMs: 1_000, maxConnections: 8 };
  const connections = new HttpConnections(options, silent);
  onTestFinished(() => connections.close());
  return new HttpWire({ url: new URL(url), headers, maxBytes: 1_000_000, connections });
});

wireSuite("the SDK's transport as a wire", (url, headers) => {
  const options = { requestInit: { headers } };
  return new SdkWire(new StreamableHTTPClientTransport(new URL(url), options));
});
