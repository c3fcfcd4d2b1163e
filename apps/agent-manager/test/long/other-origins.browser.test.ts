import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchBrowser } from '@gateway/test-peers';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type StartedService } from '../harness/started-service.ts';

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let service: StartedService;
let port: number;
/** The page of an application of another origin. */
const application = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end('<title>Application</title>');
});

beforeAll(async () => {
  await once(application.listen(0), 'listening');
  ({ port } = application.address() as AddressInfo);
  service = await startService({ allowedOrigins: [`http://127.0.0.1:${port}`] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  application.closeAllConnections();
  application.close();
});

const AGENT = {
  namespace: 'default',
  name: 'assistant',
  description: 'Answers questions.',
  systemMessage: 'Answer briefly.',
  modelConfig: 'default',
  toolset: ['preset:none'],
};

/** A script that creates an agent with the client library and lists all agents. */
const clientScript = async (): Promise<string> => {
  const contents = `
    import { createAgentManagerClient } from '@gateway/agent-manager-client';
    const client = createAgentManagerClient({ baseUrl: '${service.url}' });
    globalThis.result = (async () => {
      const created = await client.createAgent(${JSON.stringify(AGENT)});
      return created.ok ? client.getAgent({ namespace: 'default', name: 'assistant' }) : created;
    })();`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...{ bundle: true, format: 'iife', platform: 'browser', write: false },
    conditions: ['@gateway/source'],
  });
  return outputFiles[0]?.text ?? '';
};

const resultOn = async (host: string): Promise<unknown> => {
  const page = await browser.newPage();
  await page.goto(`http://${host}:${port}/`);
  await page.addScriptTag({ content: await clientScript() });
  const result: unknown = await page.evaluate('globalThis.result');
  await page.close();
  return result;
};

it('serves the client library on a page of an origin of --allowed-origins', async () => {
  expect(await resultOn('127.0.0.1')).toMatchObject({
    ...{ ok: true, value: { name: 'assistant', toolset: ['preset:none'] } },
  });
});

it('does not serve it on a page of another origin', async () => {
  expect(await resultOn('localhost')).toMatchObject({
    ok: false,
    error: { code: 'unreachable' },
  });
});
