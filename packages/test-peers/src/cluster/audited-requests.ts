import { readFile } from 'node:fs/promises';

/** A request that the API server has answered, as its audit log names it. */
export interface AuditedRequest {
  /** Such as `system:serviceaccount:default:reader`. */
  readonly user: string;
  readonly verb: string;
  /** The group of the resource; empty for the core group. */
  readonly group: string;
  /** The resource, with its subresource as in `pods/log`. Undefined for other paths. */
  readonly resource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly status: number;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
}

interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly user: { readonly username?: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

const resourceOf = ({ objectRef }: AuditEvent): string | undefined => {
  const { resource, subresource } = objectRef ?? {};
  return subresource === undefined ? resource : `${resource ?? ''}/${subresource}`;
};

const requestOf = (event: AuditEvent): AuditedRequest => ({
  user: event.user.username ?? '',
  verb: event.verb,
  group: event.objectRef?.apiGroup ?? '',
  resource: resourceOf(event),
  namespace: event.objectRef?.namespace,
  name: event.objectRef?.name,
  status: event.responseStatus?.code ?? 0,
  at: Date.parse(event.requestReceivedTimestamp),
});

/** Reads an audit log. A request with two stages, such as a watch, is returned once. */
export const auditedRequests = async (file: string): Promise<readonly AuditedRequest[]> => {
  // The last line may be incomplete.
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  const events = lines.map((line) => JSON.parse(line) as AuditEvent);
  const byId = new Map(events.map((event) => [event.auditID, event]));
  return [...byId.values()].map(requestOf);
};
