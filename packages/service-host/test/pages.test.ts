import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createPageRenderer, createPageRoute, renderServicePage } from '../src/index.ts';

const page = renderServicePage({
  name: 'gateway',
  version: '5.13.0',
  description: 'One endpoint for many MCP servers.',
  links: [{ href: '/mcp', title: '/mcp', description: 'The MCP endpoint.' }],
});

describe('the page of a service', () => {
  it('says what runs here and links on', () => {
    expect(page.html).toContain('<title>gateway 5.13.0</title>');
    expect(page.html).toContain('<h1>gateway <span class="version">5.13.0</span></h1>');
    expect(page.html).toContain('<a href="/mcp">/mcp</a></dt><dd>The MCP endpoint.</dd>');
  });

  it('has a policy that allows its own style and nothing else', () => {
    const [, style = ''] = /<style>(.*)<\/style>/su.exec(page.html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.contentSecurityPolicy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(page.html).not.toMatch(/<script|https?:\/\//u);
  });

  it('escapes every value, also one that looks like a template', () => {
    const hostile = '<script>alert(1)</script><%= it.name %>"\'';
    const { html } = renderServicePage({
      name: hostile,
      version: hostile,
      description: hostile,
      links: [{ href: hostile, title: hostile, description: hostile }],
    });
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;%= it.name %&gt;&quot;&#39;');
  });
});

it('a page template includes its partials', () => {
  const render = createPageRenderer({
    content: '<% for (const name of it.names) { %><%~ include("@name", { name }) %><% } %>',
    partials: { '@name': '<b><%= it.name %></b>' },
  });
  expect(render('t', { names: ['a', '<'] }).html).toContain('<b>a</b><b>&lt;</b>');
});

describe('the route of a page', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.close();
  });

  const fetchPage = async (method: string, accept = 'text/html,*/*;q=0.8'): Promise<Response> => {
    server = createServer(createPageRoute(page));
    await new Promise<void>((listening) => server?.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port.toString()}/`, { method, headers: { accept } });
  };

  it('answers GET with the page and its policy', async () => {
    const response = await fetchPage('GET');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(page.contentSecurityPolicy);
    expect(await response.text()).toBe(page.html);
  });

  it('answers a client that does not accept HTML by name with text', async () => {
    const response = await fetchPage('GET', '*/*');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept');
    expect(await response.text()).toBe(
      'gateway 5.13.0\nOne endpoint for many MCP servers.\n\n/mcp  The MCP endpoint.\n',
    );
  });

  it('answers HEAD without a body and other methods with 405', async () => {
    const head = await fetchPage('HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    server?.close();
    const post = await fetchPage('POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
