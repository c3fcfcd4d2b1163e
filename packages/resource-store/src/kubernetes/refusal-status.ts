import type { McpServerStatus } from '@gateway/crd-schemas';
import type { ResourceKind } from '../port/resource-key.ts';
import type { StatusByKind, StatusReference } from '../port/resource-status.ts';
import type { ComposedObjects } from './compose-objects.ts';
import type { InterpretedObject, RefusalReason } from './interpret-object.ts';

/** The status of a definition that depends on the definition alone. */
export interface DefinitionStatus {
  readonly reference: StatusReference;
  readonly status: StatusByKind[ResourceKind];
}

/** Returns the current status of a definition. */
type StatusOf = (reference: StatusReference) => StatusByKind[ResourceKind] | undefined;

const messageOf = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} (and ${String(others.length)} more)`;

const refusedServer = (
  reason: RefusalReason,
  message: string,
  state: 'Failed' | 'Stopped' = 'Failed',
): McpServerStatus => ({
  state,
  lastError: message,
  restartCount: 0,
  consecutiveFailures: 0,
  conditions: [
    {
      ...{ type: 'Ready', status: 'False', reason, message },
      lastTransitionTime: new Date().toISOString(),
    },
  ],
});

const serverStatusOf = (
  { outcome }: InterpretedObject,
  nameTaken: string | undefined,
): McpServerStatus | undefined => {
  if (nameTaken !== undefined) return refusedServer('NameTaken', nameTaken);
  if (outcome.kind !== 'refused') return undefined;
  const { reason, problems, state } = outcome;
  return refusedServer(reason, messageOf(problems.map(({ message }) => message)), state);
};

const workflowStatusOf = (
  { outcome }: InterpretedObject,
  nameTaken: string | undefined,
): StatusByKind['Workflow'] | undefined => {
  if (outcome.kind !== 'workflow') return undefined;
  const { status } = outcome.workflow;
  if (nameTaken === undefined) return status;
  const [condition] = status.conditions;
  return {
    ...status,
    valid: false,
    validationErrors: [nameTaken],
    conditions:
      condition === undefined
        ? []
        : [{ ...condition, status: 'False', reason: 'NameTaken', message: nameTaken }],
  };
};

/** Equal except for the times of transitions, which the cluster has. */
const isSameRefusal = (a: McpServerStatus, b: unknown): boolean =>
  typeof b === 'object' &&
  b !== null &&
  'lastError' in b &&
  b.lastError === a.lastError &&
  'state' in b &&
  b.state === a.state;

/** Returns the statuses of all workflows, and of servers that are refused and do not have this status yet. */
export const refusalStatuses = (
  { nameTaken }: ComposedObjects,
  objects: readonly InterpretedObject[],
  statusOf: StatusOf,
): readonly DefinitionStatus[] =>
  objects.flatMap((object): readonly DefinitionStatus[] => {
    const reference = { kind: object.kind, ...object.key };
    const taken = nameTaken.get(object);
    if (object.kind === 'Workflow') {
      const status = workflowStatusOf(object, taken);
      return status === undefined || statusOf(reference) === status ? [] : [{ reference, status }];
    }
    const status = serverStatusOf(object, taken);
    return status === undefined || isSameRefusal(status, statusOf(reference))
      ? []
      : [{ reference, status }];
  });
