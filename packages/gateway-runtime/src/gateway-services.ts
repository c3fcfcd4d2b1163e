import type { ConfigurationPort, CoreToolPorts } from '@gateway/core-tools';
import type { Downstream } from '@gateway/downstream';
import type { LiveConfiguration } from '@gateway/gateway-config';
import type { AuditTrail } from './audit/audit-trail.ts';
import type { GatewayEvents } from './local/record-events.ts';
import type { ServerSignIn } from './sign-in/server-sign-in.ts';
import type { ExecutionStore } from './workflows/execution-store.ts';
import type { WorkflowWarnings } from './workflows/live-workflows.ts';

/** The services of which a gateway has one each. */
export interface GatewayServices {
  readonly events: GatewayEvents;
  /** Commands that read and change `config.yaml`. */
  readonly configuration: ConfigurationPort;
  /** Returns the servers whose definitions are invalid, with the problems. */
  readonly refusedServers: CoreToolPorts['refusedServers'];
  /** Returns the last lines of a server on stderr. */
  readonly serverLog: CoreToolPorts['serverLog'];
  /** The records of calls; `undefined` without `audit.file`. */
  readonly trail: AuditTrail | undefined;
  readonly live: LiveConfiguration;
  readonly downstream: Downstream;
  readonly signIn: ServerSignIn;
  readonly executions: ExecutionStore;
  readonly warnings: WorkflowWarnings;
  readonly close: () => Promise<void>;
}
