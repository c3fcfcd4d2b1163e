import { type ConfigDirectory } from '@gateway/repo-checks';
import { expect, it, onTestFinished } from 'vitest';
import { fixture } from '../harness/fixture.ts';
import { launchGateway, startGateway } from '../harness/gateway.ts';
import { testDirectory } from '../harness/lifetime.ts';

const SERVES = /"url":"([^"]+)","msg":"the portal serves"/u;

const directory = (): ConfigDirectory => {
  const config = testDirectory();
  onTestFinished(() => {
    config.remove();
  });
  config.server('plain', fixture('plain'));
  return config;
};

/** Starts a gateway that serves the portal too. */
const startBoth = async () => {
  const gateway = await startGateway(directory().path, { args: ['--portal', '0'] });
  const [, url = ''] = SERVES.exec(await gateway.line((line) => SERVES.test(line))) ?? [];
  return { gateway, portal: new URL(url) };
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const toolsAt = async (portal: URL): Promise<string> => {
  const session = await fetch(new URL('session', portal));
  const { token } = (await session.json()) as { readonly token: string };
  const answer = await fetch(new URL('mcp', portal), {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { _meta: META, name: 'list_tools', arguments: {} },
    }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'list_tools',
      'x-portal-token': token,
    },
  });
  return await answer.text();
};

it('serves the portal, and stops with it', async () => {
  const { gateway, portal } = await startBoth();
  const page = await fetch(portal);
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining("default-src 'none'"),
  ]);
  expect(await toolsAt(portal)).toContain('x_plain_');
  expect(await (await fetch(new URL('metrics', portal))).text()).toContain('gateway_');
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
});

it('has no portal without the option', async () => {
  const gateway = await launchGateway(directory().path);
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  expect(gateway.stderr.filter((line) => SERVES.test(line))).toEqual([]);
});
