import type { DetectOutcome, DetectQuestion } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { failure, objectOf, portsOver, callTool } from './ports.ts';

const URL = 'https://mcp.example/mcp?key=hush&lang=en';

/** Ports that detect so, and the questions that they were asked. */
const portsDetecting = (outcome: DetectOutcome) => {
  const questions: DetectQuestion[] = [];
  const detect = (question: DetectQuestion): Promise<DetectOutcome> => {
    questions.push(question);
    return Promise.resolve(outcome);
  };
  return { ...portsOver(), detect, questions };
};

const NONE: DetectOutcome = { kind: 'none', detail: 'HTTP 404' };

describe('core_mcpserver_detect', () => {
  it('reports the detected server', async () => {
    const ports = portsDetecting({
      kind: 'found',
      transport: 'sse',
      requiresAuth: false,
      serverName: 'search',
      serverVersion: '1.0',
      detail: 'MCP server over sse, protocol 2025-06-18',
    });
    expect(await objectOf('core_mcpserver_detect', { url: URL }, ports)).toEqual({
      url: 'https://mcp.example/mcp?key=***&lang=en',
      reachable: true,
      transport: 'sse',
      requiresAuth: false,
      serverName: 'search',
      serverVersion: '1.0',
      detail: 'MCP server over sse, protocol 2025-06-18',
    });
  });

  it('reports that no server was found as a success', async () => {
    expect(await objectOf('core_mcpserver_detect', { url: URL }, portsDetecting(NONE))).toEqual({
      url: 'https://mcp.example/mcp?key=***&lang=en',
      reachable: false,
      transport: 'unknown',
      requiresAuth: false,
      detail: 'HTTP 404',
    });
  });

  it('fails when the address must not be asked', async () => {
    const detail = '169.254.169.254 has a metadata address, which is never asked';
    const ports = portsDetecting({ kind: 'refused', detail });
    expect(
      await callTool('core_mcpserver_detect', { url: 'http://169.254.169.254/' }, ports),
    ).toEqual(failure(`Failed to detect MCP server: ${detail}`));
  });

  it('sends the headers, with a default timeout of 10 seconds', async () => {
    const ports = portsDetecting(NONE);
    await callTool('core_mcpserver_detect', { url: URL }, ports);
    await callTool(
      'core_mcpserver_detect',
      { url: URL, headers: { Authorization: 'Bearer hush' }, timeout: 60 },
      ports,
    );
    expect(ports.questions).toEqual([
      { url: URL, headers: {}, timeoutMs: 10_000 },
      { url: URL, headers: { Authorization: 'Bearer hush' }, timeoutMs: 60_000 },
    ]);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['url argument is required', {}],
    ['url must be at most 2048 characters', { url: 'x'.repeat(2049) }],
    ['headers must be an object', { url: URL, headers: 'A: b' }],
    ['headers.A must be a string', { url: URL, headers: { A: 1 } }],
    ['timeout must be at least 1 (minimum value)', { url: URL, timeout: 0 }],
    ['timeout must be at most 60 (maximum value)', { url: URL, timeout: 61 }],
    ['unknown args: [method]. Allowed args: [url, headers, timeout]', { url: URL, method: 'GET' }],
  ])('returns: %s', async (text, args) => {
    const ports = portsDetecting(NONE);
    expect(await callTool('core_mcpserver_detect', args, ports)).toEqual(failure(text));
    expect(ports.questions).toEqual([]);
  });
});
