import type { ConfigurationPort, CoreToolPorts } from '@gateway/core-tools';
import type { Downstream } from '@gateway/downstream';
import type { LiveConfiguration } from '@gateway/gateway-config';
import type { ExecutionStore } from './workflows/execution-store.ts';
import type { WorkflowWarnings } from './workflows/workflow-warnings.ts';
import type { GatewayEvents } from './local/record-events.ts';

/** What there is once for a gateway, however many processes serve it: kept in this process, or reached in another one. */
export interface GatewayServices {
  /** Whether it is this process that keeps it, and tells what happens to it. */
  readonly isLocal: boolean;
  readonly live: LiveConfiguration;
  readonly downstream: Downstream;
  readonly executions: ExecutionStore;
  readonly warnings: WorkflowWarnings;
  readonly events: GatewayEvents;
  /** Orders about `config.yaml`. */
  readonly configuration: ConfigurationPort;
  /** The servers whose files cannot be used, and why. */
  readonly refusedServers: CoreToolPorts['refusedServers'];
  /** Ends what is kept here. */
  readonly close: () => Promise<void>;
}
