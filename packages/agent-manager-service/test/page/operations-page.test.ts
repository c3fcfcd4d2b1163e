import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '@gateway/agent-manager-client';
import { renderOperationsPage } from '../../src/rest/documents.ts';

const page = renderOperationsPage({ version: '0.4.0', serverUrl: 'https://agents.example' });

const matches = (pattern: RegExp): readonly string[] =>
  [...page.html.matchAll(pattern)].map(([, found]) => found ?? '');

/** Returns the text of an operation's section without markup. */
const sectionText = (id: string): string => {
  const [section = ''] = new RegExp(`<section id="${id}".*?</section>`, 's').exec(page.html) ?? [];
  return section
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
};

describe('the page about the operations', () => {
  it('describes an operation as its table does', () => {
    const text = sectionText('update_agent');
    for (const part of [
      'Change an agent',
      'PATCH /api/v1/agents/{namespace}/{name}',
      'MCP tool update_agent idempotent',
      'Arguments name string in the path required Name of the agent',
      'namespace string in the path Namespace',
      'force boolean in the query or the body',
      'toolset list of string in the body',
      'skills.gitRefs[].url string required Address of the Git repository.',
      'labels map of string in the body',
      'Answer 200 with UpdateResult',
      '404 not_found 409 conflict 413 invalid_request 415 invalid_request 502 backend_error',
    ])
      expect(text).toContain(part);
  });

  it('shows each call as a command line and as an MCP message', () => {
    expect(sectionText('update_agent')).toContain(
      `curl curl -sS -X PATCH https://agents.example/api/v1/agents/default/sre \\ -H 'Content-Type: application/json' \\ -d '{ "toolset": [ "preset:read-only", "workflow:incident-triage" ] }'`,
    );
    expect(sectionText('list_agents')).toContain(
      "curl -sS 'https://agents.example/api/v1/agents?namespace=default'",
    );
    expect(sectionText('get_agent')).toContain(
      '{ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "get_agent", "arguments": { "namespace": "default", "name": "sre" } } }',
    );
  });

  it('has a section for every operation, and every link within the page has a target', () => {
    const ids = matches(/ id="([^"]+)"/g);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(OPERATIONS)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...matches(/ href="#([^"]+)"/g)]));
    const labels = matches(/ aria-labelledby="([^"]+)"/g);
    expect(ids).toEqual(expect.arrayContaining([...labels]));
  });

  it('has landmarks and headings without a skipped level', () => {
    expect(page.html).toMatch(/^<!doctype html>\s*<html lang="en">/);
    for (const landmark of ['<header>', '<nav aria-label="Contents">', '<main id="main">'])
      expect(page.html.split(landmark)).toHaveLength(2);
    expect(matches(/<h([1-6])/g).filter((level) => level === '1')).toHaveLength(1);
    const levels = matches(/<h([1-6])/g).map(Number);
    expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
    expect(page.html).toContain('<a class="skip" href="#main">');
  });

  it('loads nothing, and its policy allows only its own style', () => {
    expect(page.html).not.toMatch(/<script|<img|<iframe|@import|url\(| on\w+=| style=| src=/);
    expect(matches(/<link ([^>]*)>/g).map((link) => link.replace(' /', ''))).toEqual([
      'rel="icon" href="data:,"',
    ]);
    const [style = ''] = matches(/<style>([^]*?)<\/style>/g);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.contentSecurityPolicy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('escapes every value', () => {
    const evil = `"><script>alert('&')</script>`;
    const { html } = renderOperationsPage({ version: evil, serverUrl: evil, openApiUrl: evil });
    expect(html).not.toContain('<script');
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;');
  });

  it('links to the OpenAPI document in its own directory', () =>
    expect(page.html).toContain('<a href="openapi.yaml">OpenAPI 3.1</a>'));
});
