export { createCoreTools, type CoreTools } from './create-core-tools.ts';
export { MAX_LOG_LINES } from './ports.ts';
export { DEFAULT_EVENTS, EVENT_NOTIFICATION, MAX_EVENTS } from './event-tool.ts';
export type {
  ConfigurationPort,
  CoreToolPorts,
  ExecutionsPort,
  RefusedServer,
  RequestLoad,
  ServerLogLine,
  ServiceOutcome,
  WorkflowView,
  ServerProbe,
  LoginOutcome,
  LogoutOutcome,
  SignInPort,
  SignInState,
  TargetLoad,
  UsagePort,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageSums,
  WritePermit,
} from './ports.ts';
