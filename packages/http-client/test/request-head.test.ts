import { describe, expect, it } from 'vitest';
import { requestHead } from '../src/request-head.ts';

const headOf = (
  headers: readonly string[],
  rest: { readonly method?: string; readonly path?: string } = {},
): string => requestHead({ method: 'POST', path: '/mcp?a=1', headers, ...rest }, 'localhost:8090');

describe('the head of a request', () => {
  it('has the host, the connection and the headers in their order', () => {
    expect(headOf(['accept', 'application/json', 'x-a', 'b'])).toBe(
      'POST /mcp?a=1 HTTP/1.1\r\nhost: localhost:8090\r\nconnection: keep-alive\r\naccept: application/json\r\nx-a: b\r\n',
    );
  });

  it('has the host of the request when there is one', () => {
    expect(headOf(['Host', 'other'])).toBe(
      'POST /mcp?a=1 HTTP/1.1\r\nconnection: keep-alive\r\nHost: other\r\n',
    );
  });

  it('accepts a tab and bytes above 127 in a value', () => {
    expect(headOf(['x-a', 'é\tb'])).toContain('x-a: é\tb\r\n');
  });

  it.each([
    [
      'a line end in a value',
      ['x-a', 'b\r\nx-c: d'],
      'header "x-a" has a value that HTTP does not allow',
    ],
    ['a NUL in a value', ['x-a', 'b\0'], 'header "x-a" has a value that HTTP does not allow'],
    [
      'a character beyond one byte',
      ['x-a', '€'],
      'header "x-a" has a value that HTTP does not allow',
    ],
    ['an empty name', ['', 'b'], '"" is not a header name'],
    ['a blank in a name', ['x a', 'b'], '"x a" is not a header name'],
    ['a length', ['Content-Length', '5'], 'header "Content-Length" cannot be set'],
    [
      'a transfer coding',
      ['transfer-encoding', 'chunked'],
      'header "transfer-encoding" cannot be set',
    ],
    ['a connection', ['connection', 'close'], 'header "connection" cannot be set'],
  ])('refuses %s', (_what, headers, message) => {
    expect(() => headOf(headers)).toThrow(
      expect.objectContaining({ code: 'invalid-request', message }),
    );
  });

  it('shows no value in a refusal', () => {
    expect(() => headOf(['authorization', 'Bearer secret\n'])).toThrow(/^(?!.*secret)/u);
  });

  it.each([
    [{ method: 'PO ST' }, '"PO ST" is not a method'],
    [{ path: '/a b' }, 'the path has a character that HTTP does not allow'],
    [{ path: '/a\r\n' }, 'the path has a character that HTTP does not allow'],
    [{ path: '/é' }, 'the path has a character that HTTP does not allow'],
    [{ path: '' }, 'the path has a character that HTTP does not allow'],
  ])('refuses %j', (rest, message) => {
    expect(() => headOf([], rest)).toThrow(
      expect.objectContaining({ code: 'invalid-request', message }),
    );
  });
});
