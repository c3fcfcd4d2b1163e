import { fieldsOf, hasStatus, LEASE, objectPath, type ApiConnection } from '@gateway/kube-client';
import type { ClusterFinding, LeaderAbsence } from './cluster-finding.ts';

/** The clocks of two machines may differ by this time, in seconds. */
const CLOCK_SKEW_SECONDS = 30;

const secondsOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** Returns the holder of a Lease, or why it has none. */
export const leaderOf = (
  lease: Readonly<Record<string, unknown>>,
  now: number,
): { readonly holder: string } | LeaderAbsence => {
  const { holderIdentity, leaseDurationSeconds, renewTime } = fieldsOf(lease['spec']);
  if (typeof holderIdentity !== 'string' || holderIdentity === '') return { cause: 'released' };
  const seconds = Math.round((now - Date.parse(String(renewTime))) / 1000);
  const allowed = secondsOf(leaseDurationSeconds) + CLOCK_SKEW_SECONDS;
  return Number.isNaN(seconds) || seconds > allowed
    ? { cause: 'expired', holder: holderIdentity, seconds: Number.isNaN(seconds) ? 0 : seconds }
    : { holder: holderIdentity };
};

/** Returns which replica leads, or why none does. Without permission to read the Lease it returns nothing. */
export const checkLeader = async (
  connection: ApiConnection,
  key: { readonly namespace: string; readonly name: string },
): Promise<readonly ClusterFinding[]> => {
  const lease = `${key.namespace}/${key.name}`;
  const answer = await connection.send({ method: 'GET', path: objectPath(LEASE, key) });
  if (!answer.ok)
    return hasStatus(answer.failure, 404)
      ? [{ code: 'no-leader', lease, absence: { cause: 'absent' } }]
      : [];
  const leader = leaderOf(answer.value, Date.now());
  return 'cause' in leader
    ? [{ code: 'no-leader', lease, absence: leader }]
    : [{ code: 'leader', lease, holder: leader.holder }];
};

/** The API records the field manager of this connection as the writer of a Lease. */
const isWrittenBy = (manager: string, lease: Readonly<Record<string, unknown>>): boolean => {
  const { managedFields } = fieldsOf(lease['metadata']);
  return (
    Array.isArray(managedFields) &&
    managedFields.some((entry) => fieldsOf(entry)['manager'] === manager)
  );
};

/** More Leases than a cluster without thousands of nodes has. */
const MAX_LEASES = '500';

const entriesOf = (list: Readonly<Record<string, unknown>>) =>
  Array.isArray(list['items']) ? list['items'].map(fieldsOf) : [];

/** Returns the gateways that lead with other Leases; none when the account may not list Leases. */
export const checkOtherLeaders = async (
  connection: ApiConnection,
  own: { readonly namespace: string; readonly name: string },
): Promise<readonly ClusterFinding[]> => {
  const list = await connection.send({
    ...{ method: 'GET', path: '/apis/coordination.k8s.io/v1/leases' },
    query: { limit: MAX_LEASES },
  });
  return (list.ok ? entriesOf(list.value) : []).flatMap((lease) => {
    const { namespace, name } = fieldsOf(lease['metadata']);
    const isOwn = namespace === own.namespace && name === own.name;
    if (isOwn || !isWrittenBy(connection.fieldManager, lease)) return [];
    const leader = leaderOf(lease, Date.now());
    if ('cause' in leader) return [];
    const place = `${String(namespace)}/${String(name)}`;
    return [{ code: 'other-leader', lease: place, holder: leader.holder } as const];
  });
};
