import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMcpServer, type McpServer } from '@gateway/crd-schemas';
import { createDownstream, type Downstream } from '@gateway/downstream';
import { openStateDirectory } from '@gateway/files';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { withStopRequests } from '../../src/local/stop-requests.ts';

/** A server that cannot be reached: it shows whether the gateway tries. */
const server = (spec: Readonly<Record<string, unknown>> = {}): McpServer => {
  const parsed = parseMcpServer({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'notes' },
    spec: { type: 'streamable-http', url: 'http://127.0.0.1:1/mcp', autoStart: true, ...spec },
  });
  if (!parsed.ok) throw new Error('the server is invalid');
  return parsed.value;
};

const stateFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'stop-requests-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

const opened = async (folder: string): Promise<Downstream & { readonly lines: string[] }> => {
  const state = await openStateDirectory(folder);
  if (!state.ok) throw new Error(state.reason);
  const lines: string[] = [];
  const downstream = withStopRequests(
    createDownstream({
      clientInfo: { name: 'test', version: '1.0.0' },
      log: () => undefined,
      backoff: { firstMs: 60_000 },
    }),
    {
      store: { servers: {} as never },
      text: state.state.text('stopped-servers.json'),
      logger: pino({}, { write: (line: string) => lines.push(line) }),
    },
  );
  const close = async (): Promise<void> => {
    await downstream.close();
    await state.state.release();
  };
  onTestFinished(close);
  return { ...downstream, lines, close };
};

const stateIn = async (downstream: Downstream): Promise<string | undefined> => {
  await downstream.settled();
  return downstream.findState('notes');
};

it('keeps a stop for the next process, whatever its autoStart becomes, until a start', async () => {
  const folder = stateFolder();
  const first = await opened(folder);
  first.apply([server()]);
  expect(await stateIn(first)).toBe('Failed');
  expect(await first.stop('notes')).toEqual({ code: 'stopped', server: 'notes' });
  await first.close();

  const second = await opened(folder);
  second.apply([server({ autoStart: false })]);
  second.apply([server()]);
  expect(await stateIn(second)).toBe('Disconnected');
  expect(second.servers()[0]).toMatchObject({ stopRequested: true });
  expect(second.servers()[0]?.status.conditions[0]).toMatchObject({
    type: 'Ready',
    status: 'False',
    reason: 'StopRequested',
    message: 'The server was stopped on request. core_service_start starts it.',
  });
  expect(await second.start('notes')).toMatchObject({ code: 'failed' });
  await second.close();

  const third = await opened(folder);
  third.apply([server()]);
  expect(await stateIn(third)).toBe('Failed');
});

it('starts a stopped server that was removed and added again', async () => {
  const downstream = await opened(stateFolder());
  downstream.apply([server()]);
  await downstream.settled();
  await downstream.stop('notes');
  downstream.apply([]);
  downstream.apply([server()]);
  expect(await stateIn(downstream)).toBe('Failed');
});

it('says that a stop does not last when it cannot be written', async () => {
  const folder = stateFolder();
  const downstream = await opened(folder);
  downstream.apply([server()]);
  await downstream.settled();
  rmSync(folder, { recursive: true });
  expect(await downstream.stop('notes')).toMatchObject({
    code: 'failed',
    reason: expect.stringMatching(
      /^it is stopped, but not after a restart of the gateway: /u,
    ) as string,
  });
  expect(downstream.findState('notes')).toBe('Disconnected');
});

it('starts the servers when the record is damaged, and says so', async () => {
  const folder = stateFolder();
  writeFileSync(join(folder, 'stopped-servers.json'), '["notes"');
  const downstream = await opened(folder);
  downstream.apply([server()]);
  expect(await stateIn(downstream)).toBe('Failed');
  expect(downstream.lines.join()).toContain('the servers that were stopped on request are unknown');
});
