import { describe, expect, it } from 'vitest';
import { findSessionRefusal } from '../src/wire/request-outcome.ts';

const session = { hasSession: true };

describe('an answer that refuses the session', () => {
  it.each([
    [400, -32_000, 'Bad Request: No valid session ID provided'],
    [400, -32_000, 'Bad Request: Server not initialized'],
    [400, -32_000, 'Bad Request: Mcp-Session-Id header is required'],
    [400, -32_602, 'Bad Request: Mcp-Session-Id header is required'],
    [400, -32_000, 'Bad Request: No valid session ID or not an initialize request'],
    [400, -32_000, 'No valid session id; expected initialize'],
    [400, -32_000, 'Invalid or missing session ID'],
    [400, -32_600, 'A valid session id is REQUIRED for non-initialize requests.'],
    [
      400,
      -32_000,
      'Bad Request: A new session can only be created by an initialize request. Include a valid Mcp-Session-Id header for non-initialize requests.',
    ],
    [404, -32_001, 'Session not found'],
    [404, -32_600, 'Session not found'],
    [404, -32_001, 'Session not found: 0d5cb0f5-2b5c-4b64-8d83-8e6d1b1a1d5f'],
    [404, -32_000, 'Not Found: Unknown Mcp-Session-Id header'],
    [404, -32_600, 'Not Found: Session has been terminated'],
    [404, -32_000, 'Not Found: Invalid or expired session ID'],
    [404, -32_600, 'Session not found or has expired.'],
    [400, -32_600, 'Invalid or expired session. Please re-initialize the session.'],
    [400, -32_602, 'Invalid session ID'],
    [409, -32_000, 'Session does not exist'],
  ])('with HTTP %i and the JSON-RPC error %i is certain: %s', (httpStatus, rpcCode, text) => {
    expect(findSessionRefusal({ httpStatus, rpcCode, text, ...session })).toBe('certain');
  });

  it.each([
    [400, 'Invalid session ID'],
    [400, 'Invalid or missing session ID'],
    [400, 'No transport found for sessionId'],
    [400, '{"error":"Missing session ID"}'],
    [404, 'session not found'],
    [404, 'Could not find session'],
    [404, 'Session terminated'],
    [404, '{"error":"unknown_session"}'],
    [410, '<html><body><h1>Gone</h1><p>Your MCP session has expired</p></body></html>'],
    [422, 'Unexpected message, expect initialize request'],
  ])('with HTTP %i in a text is certain: %s', (httpStatus, text) => {
    expect(findSessionRefusal({ httpStatus, text, ...session })).toBe('certain');
  });

  it.each([
    [undefined, -32_000, 'Bad Request: No valid session ID provided'],
    [undefined, -32_001, 'Session not found'],
    [undefined, -32_600, 'Session terminated'],
    [undefined, -32_600, 'Invalid Request: not initialized'],
    [undefined, -32_602, 'Received request before initialization was complete'],
    [undefined, -32_002, 'Server not initialized'],
    [undefined, undefined, '{"error":"session expired"}'],
    [503, undefined, 'Unknown session'],
    [401, undefined, 'Unauthorized: Session not found'],
    [404, undefined, ''],
    [410, undefined, ''],
    [400, undefined, 'Bad Request'],
    [422, undefined, ''],
    [400, -32_000, 'Bad Request'],
  ])('may concern the request alone: HTTP %s, %s, %j', (httpStatus, rpcCode, text) => {
    expect(findSessionRefusal({ httpStatus, rpcCode, text, ...session })).toBe('likely');
  });
});

it.each([
  [400, -32_602, 'Invalid params'],
  [400, -32_010, 'Unbekannte Sitzung'],
  [undefined, -32_602, 'Invalid request parameters'],
  [undefined, -32_602, 'Unknown tool: session_list'],
  [undefined, -32_000, 'Browser session not found'],
  [undefined, -32_603, 'Internal error'],
  [undefined, -32_000, 'Database not initialized'],
  [403, undefined, ''],
  [405, undefined, ''],
  [419, undefined, 'Page Expired'],
])(
  'an answer without words about the session refuses it if every request gets the same: HTTP %s, %s, %j',
  (httpStatus, rpcCode, text) => {
    expect(findSessionRefusal({ httpStatus, rpcCode, text, ...session })).toBe('possible');
    expect(findSessionRefusal({ httpStatus, rpcCode, text, hasSession: false })).toBeUndefined();
  },
);

describe('any other answer', () => {
  it.each([
    [404, -32_601, 'Method not found'],
    [400, -32_601, 'Session not found'],
    [503, undefined, 'Too many sessions'],
    [401, undefined, ''],
    [408, undefined, ''],
    [429, undefined, ''],
    [500, undefined, 'boom'],
    [502, undefined, '<html>Bad Gateway</html>'],
  ])('says nothing about the session: HTTP %s, %s, %j', (httpStatus, rpcCode, text) => {
    expect(findSessionRefusal({ httpStatus, rpcCode, text, ...session })).toBeUndefined();
  });

  it('without a session needs words about it', () => {
    expect(findSessionRefusal({ httpStatus: 404, text: '', hasSession: false })).toBeUndefined();
    expect(
      findSessionRefusal({
        httpStatus: 400,
        rpcCode: -32_000,
        text: 'Bad Request: Server not initialized',
        hasSession: false,
      }),
    ).toBe('certain');
  });
});

it('reads a long text in linear time', () => {
  const text = '<'.repeat(200_000) + 'session '.repeat(20_000) + 'x'.repeat(200_000);
  const began = performance.now();
  findSessionRefusal({ httpStatus: 400, text, hasSession: true });
  expect(performance.now() - began).toBeLessThan(200);
});
