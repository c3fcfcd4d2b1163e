import {
  CLIENT_IDS,
  CLIENT_SHAPES,
  renderConfig,
  type GatewayEndpoint,
} from '@gateway/client-config';
import { describe, expect, it } from 'vitest';
import { listGuideBlocks } from '../src/compat/own-server.ts';

const URL = 'http://127.0.0.1:8090/mcp';
const TOOLSET = 'preset:read-only';

const HTTP: GatewayEndpoint = {
  kind: 'http',
  url: URL,
  headers: { 'X-Gateway-Toolset': TOOLSET },
};
const STDIO: GatewayEndpoint = {
  kind: 'stdio',
  command: 'node',
  args: ['<repository>/apps/gateway/dist/cli.js', 'stdio', '--url', URL, '--toolset', TOOLSET],
};

/** Without spaces and line breaks: the page is formatted. */
const compact = (text: string): string => text.replaceAll(/\s/gu, '');

const rendered = (client: (typeof CLIENT_IDS)[number], endpoint: GatewayEndpoint): string => {
  const config = renderConfig(client, { name: 'gateway', endpoint });
  if (!config.ok) throw new Error(config.problem);
  return compact(config.text);
};

describe('the configurations of docs/clients.md', () => {
  const blocks = listGuideBlocks();

  it.each(CLIENT_IDS)('are what gateway export prints for %s', (client) => {
    const { title, urlKey } = CLIENT_SHAPES[client];
    const shown = blocks.get(title)?.map(({ text }) => compact(text));
    const endpoint = urlKey === undefined ? STDIO : HTTP;
    expect(shown).toEqual([rendered(client, endpoint)]);
  });
});
