import { Session } from 'node:inspector/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSample, type Endpoint } from '../endpoint.ts';
import { call, ENVELOPE, rawRequest, rpc } from '../wire-client.ts';

const WARM_UP = 2_000;
const REQUESTS = 4_000;
const CONNECTIONS = 8;
const MIB = 1024 * 1024;

/** Pages that the runtime keeps although nothing is in them come and go; a leak of one kilobyte per answer is more. */
const MAX_RESIDENT_GROWTH = 24 * MIB;
const MAX_USED_GROWTH = 2 * MIB;

interface Mode {
  readonly title: string;
  readonly lines: (session: string) => readonly string[];
  readonly body: object;
  /** The last bytes of an answer, and of nothing before its end. */
  readonly end: string;
}

const JSON_END = '}]}}';
const ERROR_END = '"}}';
const CHUNKS_END = '\r\n0\r\n\r\n';

const IN_SESSION = (session: string): readonly string[] => [
  `Mcp-Session-Id: ${session}`,
  'Mcp-Protocol-Version: 2025-11-25',
  'X-Gateway-Toolset: tool:x_y, ,,, preset:none',
];

const MODES: readonly Mode[] = [
  {
    title: 'JSON answers in a session',
    lines: IN_SESSION,
    body: call('kilobyte'),
    end: JSON_END,
  },
  { title: 'lists', lines: IN_SESSION, body: rpc('tools/list'), end: JSON_END },
  ...[call('nobody'), call('throw'), rpc('nothing')].map((body, at) => ({
    title: `errors of kind ${at}`,
    lines: IN_SESSION,
    body,
    end: ERROR_END,
  })),
  {
    title: 'event streams in a session',
    lines: (session) => [`Mcp-Session-Id: ${session}`, 'Mcp-Protocol-Version: 2025-06-18'],
    body: call('kilobyte'),
    end: CHUNKS_END,
  },
  {
    title: 'answers of 2026-07-28',
    lines: () => [
      'Mcp-Protocol-Version: 2026-07-28',
      'Mcp-Method: tools/call',
      'Mcp-Name: kilobyte',
    ],
    body: rpc('tools/call', { name: 'kilobyte', _meta: ENVELOPE }),
    end: JSON_END,
  },
];

const BOTH_FRAMINGS = 'Accept: application/json, text/event-stream';

/** The request of a mode; one that wants events accepts nothing else. */
const requestOf = ({ lines, body, end }: Mode, session: string): string => {
  const request = rawRequest(lines(session), JSON.stringify(body));
  return end === CHUNKS_END ? request.replace(BOTH_FRAMINGS, 'Accept: text/event-stream') : request;
};

/** Sends one request after the other on some connections. */
const load = async (port: number, request: string, end: string, count: number): Promise<void> => {
  let left = count;
  const lane = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' });
      let tail = '';
      socket.on('error', reject).on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString('latin1')).slice(-end.length);
        if (tail !== end) return;
        tail = '';
        left -= 1;
        if (left > 0) socket.write(request);
        else socket.end(resolve);
      });
      socket.write(request);
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
};

describe('memory under load', () => {
  const inspector = new Session();
  let endpoint: Endpoint;
  beforeAll(async () => {
    inspector.connect();
    endpoint = await serveSample();
  });
  afterAll(async () => {
    inspector.disconnect();
    await endpoint.drain(0);
  });

  const memory = async (): Promise<{ readonly resident: number; readonly used: number }> => {
    await inspector.post('HeapProfiler.collectGarbage');
    const { rss, heapUsed, external } = process.memoryUsage();
    return { resident: rss, used: heapUsed + external };
  };

  it.each(MODES)(
    'does not grow with $title',
    async (mode) => {
      const request = requestOf(mode, (await endpoint.startSession())['mcp-session-id']);
      await load(endpoint.port, request, mode.end, WARM_UP);
      const before = await memory();
      const seen = endpoint.requests.length;
      await load(endpoint.port, request, mode.end, REQUESTS);
      expect(endpoint.requests.length - seen).toBeGreaterThan(REQUESTS - CONNECTIONS);
      endpoint.requests.length = 0;
      endpoint.errors.length = 0;
      const after = await memory();
      expect(after.resident - before.resident).toBeLessThan(MAX_RESIDENT_GROWTH);
      expect(after.used - before.used).toBeLessThan(MAX_USED_GROWTH);
    },
    60_000,
  );
});
