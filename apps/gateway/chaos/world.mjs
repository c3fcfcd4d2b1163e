import { randomBytes } from 'node:crypto';
import { startRedis } from '@gateway/test-peers';
import { Pool } from 'undici';
import { listenBalancer } from '../test/harness/balancer.ts';
import { openCluster } from './cluster.mjs';
import { Failures } from './failures.mjs';
import { Outages } from './outages.mjs';
import { createReplica } from './replicas.mjs';
import { startServers } from './servers.mjs';

const REPLICAS = 3;
const CONNECTIONS = 64;

/** The workflow that exists from the start. */
export const WORKFLOW = 'two-calls';

const step = (id, tool) => ({ id, tool, args: { text: id } });
export const STEPS = [step('a', 'x_stable0_echo'), step('b', 'x_stable1_echo')];

const createObjects = async (cluster, { specs }) => {
  for (const [name, spec] of Object.entries(specs))
    await cluster.apply('MCPServer', name, { ...spec, autoStart: true });
  await cluster.apply('Workflow', WORKFLOW, { description: 'Calls twice.', steps: STEPS });
};

/**
 * Starts an API server, a Redis, servers, replicas of the gateway with the same state, and a load balancer before them.
 *
 * @param options `cli`, `expose` (`meta` or `native`), `random`
 */
export const openWorld = async ({ cli, expose, random }) => {
  const started = [];
  const opened = async (opening) => {
    const part = await opening;
    started.unshift(part);
    return part;
  };
  /** One part that cannot be closed must not leave the others running. */
  const close = async () => {
    for (const part of started)
      await Promise.resolve(part.close()).catch((error) => process.stderr.write(`${error}\n`));
  };
  try {
    const outages = new Outages();
    const cluster = await opened(openCluster());
    const redis = await opened(startRedis());
    const servers = await opened(startServers());
    await createObjects(cluster, servers);
    const { namespace, kubeconfig } = cluster;
    const stateKey = randomBytes(32).toString('base64');
    const options = { cli, expose, namespace, kubeconfig, redis, stateKey, outages };
    const create = (name) => opened(createReplica(name, options));
    const replicas = [];
    for (let at = 0; at < REPLICAS; at += 1) replicas.push(await create(`replica-${at}`));
    await Promise.all(replicas.map((replica) => replica.start()));
    const balancer = await opened(listenBalancer(replicas.map(({ port }) => port)));
    const pool = await opened(new Pool(balancer.url, { connections: CONNECTIONS }));
    const failures = new Failures(outages);
    return {
      ...{ cluster, redis, servers, replicas, balancer, pool, outages, failures },
      ...{ expose, random, create, close },
      /** The objects that come and go: what their servers answer, once all replicas know them. */
      fleeting: new Map(),
      /** Whether the definition of servers has a field that the gateway does not know. */
      definition: { isNewer: false },
      failovers: [],
      /** How long changes of objects took to reach all replicas. */
      settled: [],
    };
  } catch (error) {
    await close();
    throw error;
  }
};
