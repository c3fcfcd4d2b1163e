import type { McpServer } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

const CANARY = 'canary-7d1f-2b';

describe('the values of placeholders', () => {
  it('are the arguments of a process, and are in no status', async () => {
    const { downstream } = testDownstream();
    const script = 'console.error("cannot use", process.argv[1]); process.exit(1)';
    const server: McpServer = {
      ...defineServer('crm', {
        type: 'stdio',
        command: process.execPath,
        args: ['-e', script, '--', '--key=${env:KEY}'],
      }),
      referenced: { values: {}, args: ['-e', script, '--', `--key=${CANARY}`], parts: [CANARY] },
    };
    downstream.apply([server]);
    await untilState(downstream, 'crm', 'Failed');
    const view = viewOf(downstream, 'crm');
    expect(view.reason).toContain('cannot use --key=[redacted]');
    expect(JSON.stringify(view.status)).not.toContain(CANARY);
  });

  it('are the URL of a remote server, and a new value is a new connection', async () => {
    const http = await startRawHttp({ protocolVersion: '2025-11-25' });
    const { downstream } = testDownstream();
    const definition = defineServer('crm', {
      type: 'streamable-http',
      url: 'http://127.0.0.1:1/${env:PLACE}',
    });
    downstream.apply([{ ...definition, referenced: { problem: 'the value is missing' } }]);
    await untilState(downstream, 'crm', 'Failed');
    expect(viewOf(downstream, 'crm').reason).toBe('the value is missing');
    downstream.apply([{ ...definition, referenced: { values: {}, url: http.url, parts: [] } }]);
    await untilState(downstream, 'crm', 'Connected');
    expect(http.mcp.seen.length).toBeGreaterThan(0);
  });
});
