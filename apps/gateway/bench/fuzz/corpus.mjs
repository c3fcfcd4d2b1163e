// Valid requests of both protocol eras: the frames that the fuzzer mutates.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const frames = JSON.parse(readFileSync(join(import.meta.dirname, 'corpus.json'), 'utf8'));

const HEADERS = {
  legacy: { 'MCP-Protocol-Version': '2025-11-25' },
  modern: { 'MCP-Protocol-Version': '2026-07-28' },
};

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};

const named = ({ name, uri } = {}) => (name ?? uri) && { 'Mcp-Name': name ?? uri };

const bodyOf = ({ era, body }) => {
  if (body === undefined) return '';
  if (era !== 'modern' || typeof body === 'string') return JSON.stringify(body);
  const { params = {}, ...rest } = body;
  return JSON.stringify({ jsonrpc: '2.0', id: 1, ...rest, params: { ...params, _meta: ENVELOPE } });
};

const mirrored = ({ era, body }) =>
  era === 'modern' ? { 'Mcp-Method': body.method, ...named(body.params) } : {};

/** Returns the bytes of a frame. `@SESSION@` in a header becomes the id of a session. */
const bytesOf = (frame, session) => {
  const body = bodyOf(frame);
  const headers = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...HEADERS[frame.era],
    ...mirrored(frame),
    ...frame.headers,
    ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const { method = 'POST', path = '/mcp' } = frame;
  const text = [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
  return Buffer.from(text.replace('@SESSION@', session), 'utf8');
};

/** Returns the frames of the corpus as bytes, in order. */
export const corpusOf = (session) => frames.map((frame) => bytesOf(frame, session));
