import type { Expose } from '@gateway/gateway-config';
import { servicePage, type Page } from '@gateway/service-host';
import { SERVICE_INFO } from '../services/service-identity.ts';

const MCP_DESCRIPTIONS: Readonly<Record<Expose, string>> = {
  meta: 'The MCP endpoint. MCP clients find the tools of all servers with the meta-tools.',
  native: 'The MCP endpoint. MCP clients list the tools, resources and prompts of all servers.',
};

/** Renders the page at `/`: the version of the gateway and links to its endpoints. It shows no server and no tool. */
export const frontPage = (expose: Expose): Page =>
  servicePage({
    name: SERVICE_INFO.title,
    version: SERVICE_INFO.version,
    description:
      'Combines MCP servers into one catalog. The header X-Gateway-Toolset limits a request to a part of it.',
    links: [
      { href: '/mcp', title: '/mcp', description: MCP_DESCRIPTIONS[expose] },
      {
        href: '/readyz',
        title: '/readyz',
        description:
          '200 when every server that starts automatically was tried once; names the missing ones.',
      },
      { href: '/healthz', title: '/healthz', description: '200 while the process runs.' },
      { href: '/metrics', title: '/metrics', description: 'Metrics in the Prometheus format.' },
    ],
  });
