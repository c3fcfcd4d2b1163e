import { startOwnCluster } from '../src/cluster/start-cluster.ts';

/** A program of a test that is killed: starts a cluster and prints where it is. */
const { facts } = await startOwnCluster();
process.stdout.write(`${JSON.stringify(facts)}\n`);
setInterval(() => undefined, 60_000);
