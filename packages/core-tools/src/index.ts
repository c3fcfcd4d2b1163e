export { createCoreTools } from './create-core-tools.ts';
export type { CoreTools } from './create-core-tools.ts';
export { MAX_LOG_LINES } from './servers/service-tools.ts';
export { DEFAULT_EVENTS, EVENT_NOTIFICATION, MAX_EVENTS } from './events/event-limits.ts';
export type {
  ConfigurationPort,
  CoreToolPorts,
  ExecutionsPort,
  RefusedServer,
  ServerLogLine,
  ServiceOutcome,
  WorkflowView,
} from './tool/ports.ts';
export type { ServerProbe } from './tool/server-probe.ts';
export type { LoginOutcome, LogoutOutcome, SignInPort, SignInState } from './tool/sign-in-port.ts';
export type { WritePermit } from './tool/write-access.ts';
