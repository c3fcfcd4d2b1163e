import { describe, expect, it } from 'vitest';
import { running, untilState, viewOf } from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const CANARY = 'canary-7d1f-2b';

describe('the values of placeholders', () => {
  it('are the arguments of a process, and are in no status', async () => {
    const script = 'console.error("cannot use", process.argv[1]); process.exit(1)';
    const argsWith = (key: string) => ['-e', script, '--', `--key=${key}`];
    const command = { type: 'stdio', command: process.execPath, args: argsWith('${env:KEY}') };
    const referenced = { values: {}, args: argsWith(CANARY), parts: [CANARY] };
    const { downstream } = await running([{ ...defineServer('crm', command), referenced }]);
    await untilState(downstream, 'crm', 'Failed');
    const view = viewOf(downstream, 'crm');
    expect(view.reason).toContain('cannot use --key=[redacted]');
    expect(JSON.stringify(view.status)).not.toContain(CANARY);
  });

  it('are the URL of a remote server, and a new value is a new connection', async () => {
    const http = await startRawHttp({ protocolVersion: '2025-11-25' });
    const definition = remote('http://127.0.0.1:1/${env:PLACE}', {}, 'crm');
    const referenced = { problem: 'the value is missing' };
    const { downstream } = await running([{ ...definition, referenced }]);
    await untilState(downstream, 'crm', 'Failed');
    expect(viewOf(downstream, 'crm').reason).toBe('the value is missing');
    downstream.apply([{ ...definition, referenced: { values: {}, url: http.url, parts: [] } }]);
    await untilState(downstream, 'crm', 'Connected');
    expect(http.mcp.seen.length).toBeGreaterThan(0);
  });
});
