import { connectToCluster, Informer, type ApiKind } from '@gateway/kube-client';

const POD: ApiKind = { group: '', version: 'v1', kind: 'Pod', resource: 'pods' };

/** Writes a line for every change of a pod until the returned function is called. */
export const followPods = async (
  kubeconfig: string,
  write: (line: string) => void,
): Promise<() => void> => {
  const connected = await connectToCluster({ kubeconfig, fieldManager: 'example' });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const informer = new Informer(connection, {
    kind: POD,
    namespace: 'default',
    onChange: (name, change) => {
      write(`${name} was ${change}`);
    },
    onFailure: (failure, verb) => {
      write(`cannot ${verb} pods: ${failure.kind}`);
    },
  });
  await informer.waitForSync();
  return () => {
    informer.stop();
    connection.close();
  };
};
