import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterFacts } from '../cluster/cluster.ts';
import type { ClusterOptions } from '../cluster/cluster-options.ts';

/** The argument of the process of a shared cluster. */
export interface KeeperOrder {
  readonly socket: string;
  /** The process with whose end the cluster ends. */
  readonly owner: number;
  readonly options: ClusterOptions;
}

/** The one line that it sends to each connection. */
export type KeeperAnswer =
  | { readonly ok: true; readonly facts: ClusterFacts }
  | { readonly ok: false; readonly problem: string };

/** Returns the path of the socket of the cluster that an owner has for some options. */
export const keeperSocket = (owner: number, options: ClusterOptions): string => {
  const hash = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 12);
  return join(tmpdir(), `cluster-${process.getuid?.() ?? 0}-${owner}-${hash}.sock`);
};
