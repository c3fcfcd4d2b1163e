import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestCluster, type Fault } from '@gateway/test-peers';
import { ObjectInformer, parseVersionedObject } from '../src/index.ts';
import type { ObjectInformerRequest } from '../src/object-informer.ts';
import { connected, POD, podOf } from './pods.ts';

const start = async (options: Partial<ObjectInformerRequest> = {}, fault?: Fault) => {
  const cluster = await startTestCluster();
  cluster.api.fault = fault;
  cluster.api.apply(podOf('old', { v: 1 }));
  const connection = await connected({ kubeconfig: cluster.kubeconfig });
  const log: string[] = [];
  const informer = new ObjectInformer(connection, {
    kind: POD,
    onChange: () => log.push('changed'),
    onFailure: ({ kind }, verb) => log.push(`${verb} ${kind}`),
    onRecovery: () => log.push('recovered'),
    ...options,
  });
  onTestFinished(() => informer.stop());
  const specs = (): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      informer
        .objects()
        .map(({ object: { metadata, spec } }) => [
          `${metadata.namespace}/${metadata.name}`,
          spec?.['v'],
        ]),
    );
  return { ...cluster, informer, log, specs };
};

const versioned = (object: unknown) => {
  const made = parseVersionedObject(object, POD);
  if (made === undefined) throw new Error('no object');
  return made;
};

/** Writes the events of a watch by hand. */
const scripted = (lines: readonly object[]): Fault => {
  let isSent = false;
  return ({ verb }, response) => {
    if (verb !== 'watch' || isSent) return false;
    isSent = true;
    response.writeHead(200);
    for (const one of lines) response.write(`${JSON.stringify(one)}\n`);
    return true;
  };
};

const eventOf = (type: string, version: number, uid: string, v: number) => ({
  type,
  object: {
    ...podOf('a', { v }),
    metadata: { name: 'a', namespace: 'default', uid, resourceVersion: String(version) },
  },
});

describe('an informer of objects', () => {
  it('holds the objects of all namespaces', async () => {
    const { api, specs } = await start();
    api.apply({ ...podOf('b', { v: 2 }), metadata: { name: 'b', namespace: 'tenant' } });
    await expect.poll(specs).toEqual({ 'default/old': 1, 'tenant/b': 2 });
    api.remove('Pod', { namespace: 'default', name: 'old' });
    await expect.poll(specs).toEqual({ 'tenant/b': 2 });
  });

  it('holds the part of each object that is kept', async () => {
    const { api, informer, specs } = await start({
      keep: ({ object: { metadata, spec }, revision }) => ({
        object: { metadata, spec: { v: spec?.['v'] } },
        revision,
      }),
    });
    api.apply(podOf('b', { v: 2, large: 'x' }));
    await expect.poll(specs).toEqual({ 'default/old': 1, 'default/b': 2 });
    api.apply(podOf('b', { v: 3, large: 'y' }));
    await expect.poll(specs).toEqual({ 'default/old': 1, 'default/b': 3 });
    expect(informer.get({ namespace: 'default', name: 'b' })?.object.spec).toEqual({ v: 3 });
  });

  it('ignores repeated and reordered events', async () => {
    const { specs, log } = await start(
      {},
      scripted([
        eventOf('ADDED', 2000, 'one', 1),
        eventOf('MODIFIED', 2002, 'one', 3),
        eventOf('MODIFIED', 2001, 'one', 2),
        eventOf('MODIFIED', 2002, 'one', 3),
        eventOf('DELETED', 2003, 'one', 3),
        eventOf('MODIFIED', 2004, 'one', 9),
        eventOf('ADDED', 2006, 'two', 4),
        eventOf('DELETED', 2005, 'one', 3),
      ]),
    );
    await expect.poll(specs).toEqual({ 'default/old': 1, 'default/a': 4 });
    // The list and four of the eight events.
    expect(log).toEqual(['changed', 'changed', 'changed', 'changed', 'changed']);
  });

  it.each([2, 5, 7, 8, 11, 12])(
    'leads to the objects of the API whatever the order of events (%i)',
    async (step) => {
      const events = [
        ...[1, 2, 3].map((v) => eventOf(v === 1 ? 'ADDED' : 'MODIFIED', 2000 + v, 'one', v)),
        eventOf('DELETED', 2004, 'one', 3),
        ...[5, 6, 7].map((v) => eventOf(v === 5 ? 'ADDED' : 'MODIFIED', 2000 + v, 'two', v)),
      ];
      const twice = [...events, ...events.slice(1)];
      const disordered = twice.map((_, at) => twice[(at * step) % twice.length] ?? {});
      const { specs } = await start({}, scripted(disordered));
      await expect.poll(specs).toEqual({ 'default/old': 1, 'default/a': 7 });
    },
  );

  it('shows a write before its event, and does not restore a deleted object', async () => {
    const { api, informer, specs } = await start();
    await expect.poll(specs).toEqual({ 'default/old': 1 });
    api.fault = () => new Promise(() => undefined);
    const written = versioned(api.history.apply(POD, podOf('old', { v: 2 })));
    informer.add(written);
    expect(specs()).toEqual({ 'default/old': 2 });
    informer.remove(written);
    informer.add(versioned({ ...written.object }));
    expect(specs()).toEqual({});
  });

  it('keeps its objects during an outage, which it reports once, and its end', async () => {
    const { api, log, specs } = await start();
    await expect.poll(specs).toEqual({ 'default/old': 1 });
    api.fault = (_request, response) => {
      response.destroy();
      return true;
    };
    api.watches.cut();
    await expect.poll(() => log).toContain('watch broken');
    expect(specs()).toEqual({ 'default/old': 1 });
    api.fault = undefined;
    api.apply(podOf('new', { v: 2 }));
    await expect.poll(specs).toEqual({ 'default/old': 1, 'default/new': 2 });
    await expect
      .poll(() => log.filter((line) => line !== 'changed'))
      .toEqual(['watch broken', 'recovered']);
  });
});
