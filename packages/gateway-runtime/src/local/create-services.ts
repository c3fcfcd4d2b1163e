import { createDownstream, type Downstream } from '@gateway/downstream';
import { createFileReferences } from '@gateway/downstream-auth';
import type { PresetSet } from '@gateway/preset-resolver';
import type { StateDirectory } from '@gateway/files';
import type { GatewayStore } from '@gateway/resource-store';
import type { Logger } from 'pino';
import {
  type GatewayConfig,
  createLiveConfiguration,
  type Address,
  configurationCommands,
} from '@gateway/gateway-config';
import { downstreamOptions } from '../downstream-options.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createExecutionStore } from '../workflows/execution-store.ts';
import { logWorkflowWarnings } from '../workflows/workflow-warnings.ts';
import { measureEvents } from '../metrics/measure-events.ts';
import { openAuditLog } from './open-audit-log.ts';
import { openEventRecorder, type RecordedEvents } from './record-events.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { refusedServers } from './refused-servers.ts';
import { publishResourceEvents } from './publish-resource-events.ts';
import { AuditTrail } from '../audit/audit-trail.ts';
import { observeServerSignIns } from '../sign-in/observe-sign-ins.ts';
import { withReferences } from './referenced-servers.ts';
import { withStopRequests } from './stop-requests.ts';
import { publishStatuses } from './publish-statuses.ts';
import { ServerLogLines } from './server-log-lines.ts';
import { createServerSignIn, type ServerSignIn } from '../sign-in/server-sign-in.ts';
import type { StateStore } from '@gateway/state-store';

/** Options of {@link createServices}. */
export interface ServicesOptions {
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly store: GatewayStore;
  /** The configuration directory, to which relative paths refer. */
  readonly directory?: string;
  /** The directory for state that survives restarts. Without it the state is lost when the process ends. */
  readonly state?: StateDirectory | undefined;
  /** Sign-ins and tokens. The caller closes it. Without it they are in the memory of this process. */
  readonly stateStore?: StateStore;
  /** Directory of the records of runs. Without it they are lost when the process ends. */
  readonly executionsDirectory?: string;
  /** The listen address; absent for stdio. */
  readonly address?: Address;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Creates the services of a gateway: servers, runs, events and configuration. */
export function createServices(options: ServicesOptions): GatewayServices {
  const { store, logger, metrics, directory = '.' } = options;
  const events = measureEvents(openEventRecorder(options), metrics);
  const live = createLiveConfiguration(options, logger, events.emit);
  const audit = openAuditLog({ ...options, onLost: metrics.auditRecordsLost });
  const trail = audit && new AuditTrail(audit.write);
  const observe = observeServerSignIns({ emit: events.emit, metrics, trail });
  const signIn = createServerSignIn({ ...options, observe, downstream: () => downstream });
  const logLines = new ServerLogLines();
  const measured = createMeasuredDownstream({ ...options, logLines }, events, signIn);
  const referenced = withReferences(measured, {
    texts: store.referencedTexts ?? createFileReferences({ directory }),
    ...{ logger, directory: options.config.kubernetes.enabled ? undefined : directory },
  });
  const text = options.state?.text('stopped-servers.json');
  const downstream = withStopRequests(referenced, { store, text, logger });
  const executions = createExecutionStore(options, logger);
  const stopEvents = publishResourceEvents(store, { emit: events.emit, logger });
  // Files belong to their users.
  const stopStatuses = options.config.kubernetes.enabled
    ? publishStatuses(store, downstream)
    : () => undefined;
  return {
    live,
    downstream,
    signIn,
    executions,
    warnings: logWorkflowWarnings(logger),
    events,
    configuration: configurationCommands({ ...options, live }),
    trail,
    serverLog: (name, limit) => logLines.read(name, limit),
    refusedServers: () => refusedServers(store),
    close: async () => {
      for (const stop of [stopEvents, stopStatuses]) stop();
      await closeInOrder({ ...options, downstream, executions, signIn, events, audit });
    },
  };
}

type Closed = Record<'downstream' | 'executions' | 'signIn' | 'events', { close(): Promise<void> }>;

/** The connections record events and runs until they have ended. */
async function closeInOrder({
  downstream,
  executions,
  signIn,
  events,
  audit,
  state,
}: Closed &
  Pick<ServicesOptions, 'state'> & {
    readonly audit: { close(): Promise<void> } | undefined;
  }): Promise<void> {
  await Promise.all([downstream.close(), executions.close()]);
  await signIn.close();
  await events.close();
  await audit?.close();
  await state?.release();
}

const processLine = ({ pid, line }: { readonly pid?: number; readonly line: string }): string =>
  pid === undefined ? line : `[${String(pid)}] ${line}`;

function createMeasuredDownstream(
  options: ServicesOptions & { readonly logLines: ServerLogLines },
  { emit }: RecordedEvents,
  { auth: { credentials } }: ServerSignIn,
): Downstream {
  const { config, directory, state, metrics, logger, logLines } = options;
  const common = downstreamOptions(config, logger);
  return createDownstream({
    ...common,
    log: (entry) => {
      if (entry.event === 'server.stderr') logLines.add(entry.server, processLine(entry));
      common.log(entry);
    },
    ...(directory !== undefined && { baseDirectory: directory }),
    ...(state !== undefined && { declaredTools: state.text('declared-tools.json') }),
    credentials,
    emit,
    pinToolHints: config.pinToolHints,
    onHintWidened: metrics.hintWidened,
  });
}
