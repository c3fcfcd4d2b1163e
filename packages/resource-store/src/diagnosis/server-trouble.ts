import { authStrategyOf, type McpServerSpec } from '@gateway/crd-schemas';
import { fieldsOf } from '@gateway/kube-client';
import type { ServerTrouble } from './cluster-finding.ts';

/** The facts that a gateway has reported about a server. */
export interface ReportedServer {
  /** Absent when nothing was reported. */
  readonly state?: string;
  readonly reason?: string;
  readonly namesTaken?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the facts in the status of an object. */
export const reportedOf = (status: unknown): ReportedServer => {
  const { state, lastError, conditions } = fieldsOf(status);
  const all = Array.isArray(conditions) ? conditions.map(fieldsOf) : [];
  const condition = (type: string, value: string): string | undefined =>
    text(all.find((one) => one['type'] === type && one['status'] === value)?.['message']);
  const known = text(state);
  const reason = text(lastError) ?? condition('Ready', 'False');
  const namesTaken = condition('NamesAccepted', 'False');
  return {
    ...(known === undefined ? {} : { state: known }),
    ...(reason === undefined ? {} : { reason }),
    ...(namesTaken === undefined ? {} : { namesTaken }),
  };
};

const isPersonal = (spec: McpServerSpec): boolean =>
  spec.type !== 'stdio' && authStrategyOf(spec.auth).kind !== 'none';

const troubleOfState = (
  spec: McpServerSpec,
  reported: ReportedServer,
): ServerTrouble | undefined => {
  const { state, reason = 'no reason was reported' } = reported;
  switch (state) {
    case undefined:
      return spec.autoStart ? { cause: 'unreported' } : undefined;
    case 'Failed':
      return { cause: 'failed', state, reason };
    case 'Disconnected':
    case 'Stopped':
      return spec.autoStart ? { cause: 'failed', state, reason } : undefined;
    case 'Auth Required':
      return { cause: isPersonal(spec) ? 'personal-sign-in' : 'refused-sign-in' };
    default:
      return undefined;
  }
};

/** Returns what is wrong with a server. Servers that do not start automatically may be stopped. @spec §2.6 status */
export const serverTroubles = (
  spec: McpServerSpec,
  reported: ReportedServer,
): readonly ServerTrouble[] => {
  const trouble = troubleOfState(spec, reported);
  const { namesTaken } = reported;
  return [
    ...(trouble === undefined ? [] : [trouble]),
    ...(namesTaken === undefined ? [] : [{ cause: 'names-taken', message: namesTaken } as const]),
  ];
};
