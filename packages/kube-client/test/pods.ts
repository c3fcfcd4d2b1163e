import { onTestFinished } from 'vitest';
import type { ConnectOptions } from '../src/connect.ts';
import {
  formatCollectionPath,
  connectToCluster,
  type ApiConnection,
  type ApiKind,
  type ApiResult,
} from '../src/index.ts';

/** The kind that these tests use. */
export const POD: ApiKind = { group: '', version: 'v1', kind: 'Pod', resource: 'pods' };

/** Returns a pod. */
export const podOf = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name },
  spec,
});

/** Connects; the end of the test closes the connection. */
export const connected = async (options: Partial<ConnectOptions>): Promise<ApiConnection> => {
  const result = await connectToCluster({ fieldManager: 'test', ...options });
  if (!result.ok) throw new Error(result.problem);
  onTestFinished(() => result.connection.close());
  return result.connection;
};

/** Sends one request. */
export const listPods = (connection: ApiConnection): Promise<ApiResult<object>> =>
  connection.send({
    method: 'GET',
    path: formatCollectionPath(POD, 'default'),
    query: { limit: '1' },
  });
