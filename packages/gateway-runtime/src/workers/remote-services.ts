import { connectLink, serveLink, type LinkPort, type Members } from '@gateway/process-link';
import type { ServerWriter } from '@gateway/resource-store';
import type { OwnAuditSink } from '../audit/audit-sink.ts';
import { SHARED_SERVICES, type SharedServices } from '../gateway-services.ts';

/** The services of the primary process, as a worker calls them. */
export interface RemoteServices extends SharedServices {
  /** Writes definitions of servers. */
  readonly servers: ServerWriter;
}

const REMOTE_SERVICES: Members<RemoteServices> = { ...SHARED_SERVICES, servers: {} };

/** Serves the services of this process to a worker, until its channel closes. Other properties of the object are not served. */
export function serveServices(services: RemoteServices, port: LinkPort): void {
  const served = Object.entries(services).filter(([name]) => Object.hasOwn(REMOTE_SERVICES, name));
  serveLink(port, Object.fromEntries(served));
}

/** Returns the services of the primary process. */
export function connectServices(port: LinkPort): RemoteServices & { readonly audit: OwnAuditSink } {
  let onLost = (_lines: number): void => undefined;
  const services = connectLink<RemoteServices>(port, REMOTE_SERVICES, {
    onDrop: (member) => {
      if (member === 'audit.write') onLost(1);
    },
  });
  const { write } = services.audit;
  const audit: OwnAuditSink = {
    write,
    flush: () => services.audit.flush(),
    onLost: (listener) => {
      onLost = listener;
    },
  };
  return { ...services, audit };
}
