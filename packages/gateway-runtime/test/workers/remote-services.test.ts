import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileSecretSource } from '@gateway/downstream-auth';
import { createEventRecorder, type EventRecorder } from '@gateway/events';
import { openFileStore, resourceKey, type GatewayStore } from '@gateway/resource-store';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  readConfiguration,
  configurationCommands,
  createLiveConfiguration,
} from '@gateway/gateway-config';
import { refusedServers } from '../../src/local/refused-servers.ts';
import { connectServices, serveServices } from '../../src/workers/remote-services.ts';
import { channels } from './channels.ts';
import { configDirectory, eventually, type ConfigDirectory } from '@gateway/repo-checks';

let directory: ConfigDirectory;
let store: GatewayStore;
let events: EventRecorder;

beforeEach(async () => {
  directory = configDirectory();
  directory.server('box', { type: 'stdio', command: 'run' });
  store = await openFileStore({ directory: directory.path });
  events = createEventRecorder({ now: Date.now, warn: () => undefined });
});

afterEach(async () => {
  await store.close();
  directory.remove();
});

function worker() {
  const { primary, worker: end, close } = channels();
  const accepted = readConfiguration(store.current().config);
  if (!accepted.ok) throw new Error('the configuration is refused');
  const live = createLiveConfiguration(accepted, pino({ level: 'silent' }));
  const configuration = configurationCommands({ store, live });
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const audit = { write, flush: () => Promise.resolve() };
  const refused = () => Promise.resolve(refusedServers(store));
  const secrets = createFileSecretSource({ directory: directory.path });
  const serverLog = () => Promise.resolve([]);
  serveServices(
    {
      events,
      configuration,
      servers: store.servers,
      refusedServers: refused,
      serverLog,
      audit,
      secrets,
    },
    primary.port('services'),
  );
  return { services: connectServices(end.port('services')), close, lines };
}

describe('a worker', () => {
  it('reads a Secret through the primary process', async () => {
    const { services } = worker();
    const reference = { name: 'crm', key: 'client-secret' };
    expect(await services.secrets.read(reference)).toEqual({
      ok: false,
      reason: 'the file secrets/crm/client-secret does not exist: create it with mode 0600',
    });
    mkdirSync(join(directory.path, 'secrets/crm'), { recursive: true });
    writeFileSync(join(directory.path, 'secrets/crm/client-secret'), 's3cret\n', { mode: 0o600 });
    expect(await services.secrets.read(reference)).toEqual({ ok: true, value: 's3cret' });
  });
  it('passes its audit records to the primary process before it ends, and counts those that do not fit', async () => {
    const { services, lines } = worker();
    let lost = 0;
    services.audit.onLost?.((count) => {
      lost += count;
    });
    services.audit.write('{"a":1}');
    services.audit.write('x'.repeat(17 * 1024 * 1024));
    await services.audit.flush();
    expect(lines).toEqual(['{"a":1}']);
    expect(lost).toBe(1);
  });

  it('stores its events in the primary process, where every worker finds them', async () => {
    const { services } = worker();
    const other = worker();
    services.events.emit({
      reason: 'WorkflowStepFailed',
      name: 'w',
      step: 'a',
      error: '__proto__',
    });
    await eventually(async () => {
      const [event] = await other.services.events.query({ kind: 'Workflow' });
      expect(event).toMatchObject({ reason: 'WorkflowStepFailed', name: 'w', count: 1 });
    });
  });

  it('receives the events of all processes while it has a listener', async () => {
    const { services } = worker();
    const heard: string[][] = [[], []];
    const stops = heard.map((names) => services.events.subscribe(({ name }) => names.push(name)));
    await services.events.query({});
    events.emit({ reason: 'MCPServerStarted', name: 'one' });
    await services.events.query({});
    stops[0]?.();
    events.emit({ reason: 'MCPServerStarted', name: 'two' });
    await services.events.query({});
    stops[1]?.();
    await services.events.query({});
    events.emit({ reason: 'MCPServerStarted', name: 'three' });
    await services.events.query({});
    expect(heard).toEqual([['one'], ['one', 'two']]);
  });

  it('receives nothing after its end', async () => {
    const { services, close } = worker();
    services.events.subscribe(() => undefined);
    await services.events.query({});
    close();
    expect(() => events.emit({ reason: 'MCPServerStarted', name: 'one' })).not.toThrow();
  });

  it('writes servers through the primary process', async () => {
    const { services } = worker();
    expect(await services.servers.patch(resourceKey('box'), { env: { A: '1' } })).toEqual({
      kind: 'done',
    });
    expect(await services.servers.patch(resourceKey('box'), { timeout: 1000 })).toMatchObject({
      kind: 'invalid',
    });
    expect(await services.servers.create({ metadata: { name: 'box' } })).toMatchObject({
      kind: 'invalid',
    });
    expect(await services.servers.remove(resourceKey('box'))).toEqual({ kind: 'done' });
    expect(await services.servers.remove(resourceKey('box'))).toEqual({ kind: 'missing' });
  });

  it('changes the configuration through the primary process', async () => {
    const { services } = worker();
    const { configuration } = services;
    expect(await configuration.update({ http: { maxSessions: 7 } })).toEqual({
      kind: 'done',
      restart: ['http.maxSessions'],
    });
    expect(await configuration.aggregator()).toMatchObject({ http: { maxSessions: 7 } });
    expect(await configuration.reload()).toEqual({ kind: 'done' });
    expect(await configuration.aggregator()).toMatchObject({ http: { maxSessions: 1000 } });
    await configuration.update({ http: { maxSessions: 8 } });
    expect(await configuration.save()).toEqual({ kind: 'done', restart: ['http.maxSessions'] });
    expect(store.current().config?.value).toEqual({ http: { maxSessions: 8 } });
    expect(await configuration.update({ detect: { allowPrivate: true } })).toEqual({
      kind: 'invalid',
      issues: ['detect: only http and toolsetPresets can be changed here'],
    });
  });

  it('receives the invalid definitions', async () => {
    directory.write('mcpservers/odd.yaml', 'apiVersion: gateway.internal/v1alpha1\nkind: Odd\n');
    await store.refresh();
    const { services } = worker();
    const [odd] = await services.refusedServers();
    expect(odd?.name).toBe('odd');
    expect(odd?.problems[0]).toBe('mcpservers/odd.yaml:1:1: metadata: metadata is required');
  });
});
