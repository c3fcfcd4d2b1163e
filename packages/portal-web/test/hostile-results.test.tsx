import type { JsonObject } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { formatAddress } from '../src/display/text-blocks.tsx';
import type { McpClient } from '../src/mcp/mcp-client.ts';
import { CallResult } from '../src/pages/tool/call-result.tsx';
import { callTool } from '../src/pages/tool/tool-call.ts';
import { parseToolDetail } from '../src/pages/tool/tool-detail.ts';
import { ArgumentTable } from '../src/pages/tool/tool-page.tsx';
import { render } from './harness/render.tsx';

const nested = (depth: number): JsonObject => {
  let value: JsonObject = {};
  for (let at = 0; at < depth; at += 1) value = { a: value };
  return value;
};

// The host has a Cyrillic letter; the path reads backwards.
const HOSTILE = 'https://ex\u0430mple.com/\u202Efdp.exe';
const SHOWN = 'https://xn--exmple-4nf.com/%E2%80%AEfdp.exe';

const textsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<bdi>([^<]*)<\/bdi>/gu)].map(([, text = '']) => text);

describe('an address of a server', () => {
  it('is shown as the browser opens it, below the name of a link', () => {
    const item = { type: 'resource_link', uri: HOSTILE, name: 'report.pdf' };
    const html = render(<CallResult result={{ content: [item] }} isError={false} />);
    expect(textsOf(html)).toEqual(['report.pdf', SHOWN]);
  });

  it('of no form that a browser knows is shown as it is', () => {
    expect(formatAddress('note one')).toBe('note one');
  });
});

describe('a result', () => {
  it('that is nested too deeply is not shown, and its texts are', () => {
    const result = {
      structuredContent: nested(100_000),
      content: [{ type: 'text', text: 'seen' }],
    };
    const html = render(<CallResult result={result} isError={false} />);
    expect(html).toContain('The value is nested too deeply to be shown.');
    expect(html).toContain('seen');
  });

  it('with many parts shows the first ones and how many it has', () => {
    const content = Array.from({ length: 5_000 }, (_, at) => ({
      type: 'text',
      text: `part ${at}.`,
    }));
    const html = render(<CallResult result={{ content }} isError={false} />);
    expect(html).toContain('part 199.');
    expect(html).not.toContain('part 200.');
    expect(html).toContain('The first 200 of 5000 parts are shown.');
  });

  it('that asks without a valid question is a failed call', async () => {
    const answers = [{}, { one: 'x' }, { one: { params: {} } }].map(async (inputRequests) => {
      const result = { resultType: 'input_required', inputRequests, requestState: 's' };
      const client = { request: () => Promise.resolve({ ok: true, result }) };
      return callTool(client as unknown as McpClient, {
        ...{ name: 't', args: {}, signal: new AbortController().signal },
        onProgress: () => undefined,
      });
    });
    for (const { state } of await Promise.all(answers)) expect(state).toBe('failed');
  });
});

it('shows the first arguments of a tool with many', () => {
  const entries = Array.from({ length: 5_000 }, (_, at) => [`p${at}.`, { type: 'string' }]);
  const tool = parseToolDetail({
    name: 't',
    inputSchema: { properties: Object.fromEntries(entries) },
  });
  const html = render(<ArgumentTable tool={tool} />);
  expect(html).toContain('p199.');
  expect(html).not.toContain('p200.');
  expect(html).toContain('The first 200 of 5000 arguments are shown.');
});
