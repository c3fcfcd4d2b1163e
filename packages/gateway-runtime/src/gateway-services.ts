import type { ConfigurationPort, CoreToolPorts } from '@gateway/core-tools';
import type { Downstream } from '@gateway/downstream';
import type { LiveConfiguration } from '@gateway/gateway-config';
import type { GatewayStore } from '@gateway/resource-store';
import type { Members } from '@gateway/process-link';
import type { AuditSink, OwnAuditSink } from './audit/audit-sink.ts';
import type { GatewayEvents } from './local/record-events.ts';
import type { ServerSignIn } from './sign-in/server-sign-in.ts';
import type { ExecutionStore } from './workflows/execution-store.ts';
import type { WorkflowWarnings } from './workflows/workflow-warnings.ts';

/** The services that the workers of a gateway call in its primary process. */
export interface SharedServices {
  readonly events: GatewayEvents;
  /** Commands that read and change `config.yaml`. */
  readonly configuration: ConfigurationPort;
  /** Returns the servers whose definitions are invalid, with the problems. */
  readonly refusedServers: CoreToolPorts['refusedServers'];
  /** Returns the last lines of a server on stderr. */
  readonly serverLog: CoreToolPorts['serverLog'];
  /** Values of Secrets, which only this process may read in a cluster. */
  readonly secrets: NonNullable<GatewayStore['secrets']>;
  /** The audit log, which only a gateway with `audit.file` writes to. */
  readonly audit: AuditSink;
}

/** Events are dropped while so many characters of them wait to leave a process. */
const MAX_UNSENT_EVENTS = 16 * 1024 * 1024;

/** Records are lost while so many characters of them wait to leave a process. */
const MAX_UNSENT_RECORDS = 16 * 1024 * 1024;

/** The members of {@link SharedServices} that are not requests. */
export const SHARED_SERVICES: Members<SharedServices> = {
  events: {
    emit: { kind: 'notification', maxUnsent: MAX_UNSENT_EVENTS },
    subscribe: { kind: 'subscription', maxUnsent: MAX_UNSENT_EVENTS, isShared: true },
  },
  configuration: {},
  secrets: { read: { kind: 'request' } },
  refusedServers: { kind: 'request' },
  serverLog: { kind: 'request' },
  audit: { write: { kind: 'notification', maxUnsent: MAX_UNSENT_RECORDS } },
};

/** The services of which a gateway has one each, in this process or in another one. */
export interface GatewayServices extends SharedServices {
  /** True when the services run in this process, which then reports their events. */
  readonly isLocal: boolean;
  readonly audit: OwnAuditSink;
  readonly live: LiveConfiguration;
  readonly downstream: Downstream;
  readonly signIn: ServerSignIn;
  readonly executions: ExecutionStore;
  readonly warnings: WorkflowWarnings;
  /** Closes the services of this process. */
  readonly close: () => Promise<void>;
}
