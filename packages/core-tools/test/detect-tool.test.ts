import type { DetectOutcome, DetectQuestion } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { failure, portsOver, callTool } from './ports.ts';

const URL = 'https://mcp.example/mcp?key=hush&lang=en';
const SHOWN = 'https://mcp.example/mcp?key=***&lang=en';

/** Calls the tool, whose port detects so. */
const detect = async (outcome: DetectOutcome, args: object = { url: URL }) => {
  const questions: DetectQuestion[] = [];
  const port = (question: DetectQuestion): Promise<DetectOutcome> => {
    questions.push(question);
    return Promise.resolve(outcome);
  };
  const result = await callTool('core_mcpserver_detect', args, { ...portsOver(), detect: port });
  return { result, questions };
};

const NONE: DetectOutcome = { kind: 'none', detail: 'HTTP 404' };

describe('core_mcpserver_detect', () => {
  const server = { transport: 'sse', requiresAuth: false, serverName: 'search' } as const;
  const found = { ...server, serverVersion: '1.0', detail: 'MCP server over sse' };
  const nothing = { transport: 'unknown', requiresAuth: false, detail: 'HTTP 404' };

  it.each<[DetectOutcome, object]>([
    [
      { kind: 'found', ...found },
      { url: SHOWN, reachable: true, ...found },
    ],
    [NONE, { url: SHOWN, reachable: false, ...nothing }],
  ])('reports %j as a success', async (outcome, structuredContent) => {
    const { result } = await detect(outcome);
    expect(result['structuredContent']).toEqual(structuredContent);
    expect(result).not.toHaveProperty('isError');
  });

  it('fails when the address must not be asked', async () => {
    const detail = '169.254.169.254 has a metadata address, which is never asked';
    const { result } = await detect(
      { kind: 'refused', detail },
      { url: 'http://169.254.169.254/' },
    );
    expect(result).toEqual(failure(`Failed to detect MCP server: ${detail}`));
  });

  it.each([
    [{}, { headers: {}, timeoutMs: 10_000 }],
    [
      { headers: { A: 'hush' }, timeout: 60 },
      { headers: { A: 'hush' }, timeoutMs: 60_000 },
    ],
  ])('sends the headers, with a default timeout of 10 seconds: %j', async (more, question) => {
    const { questions } = await detect(NONE, { url: URL, ...more });
    expect(questions).toEqual([{ url: URL, ...question }]);
  });

  it.each([
    ['url argument is required', {}],
    ['url must be at most 2048 characters', { url: 'x'.repeat(2049) }],
    ['headers must be an object', { url: URL, headers: 'A: b' }],
    ['headers.A must be a string', { url: URL, headers: { A: 1 } }],
    ['timeout must be at least 1 (minimum value)', { url: URL, timeout: 0 }],
    ['timeout must be at most 60 (maximum value)', { url: URL, timeout: 61 }],
    ['unknown args: [method]. Allowed args: [url, headers, timeout]', { url: URL, method: 'GET' }],
  ])('returns: %s', async (text, args) => {
    expect(await detect(NONE, args)).toEqual({ result: failure(text), questions: [] });
  });
});
