export { createChangeableJsonSchema, createConfigJsonSchema } from './schema/config-json-schema.ts';
export { createConfigurationCommands } from './configuration-commands.ts';
export { chooseCoreToolWrites, isLoopbackHost, applyCommandLine } from './core-tool-writes.ts';
export { CORE_TOOL_WRITES, type CoreToolWrites } from './expose.ts';
export { EXPOSE, EXPOSE_HEADER, type Expose, resolveExposure } from './expose.ts';
export {
  type HealthAddress,
  resolveHealthAddress,
  HEALTH_PORT_OPTION,
  PORT_OPTION,
  findPortClash,
  type OptionAddress,
} from './health-address.ts';
export {
  CONFIGURATION_NAME,
  type LiveConfiguration,
  createLiveConfiguration,
} from './live-configuration.ts';
export { openConfiguration } from './open-configuration.ts';
export { type GatewayConfig, parseConfig } from './parse-config.ts';
export { listPresetWarnings, readConfiguration } from './read-configuration.ts';
export { GATEWAY_VERSION } from './version.ts';
export {
  DEFAULT_ADDRESS,
  DEFAULT_ENDPOINT,
  DEFAULT_HEALTH_PORT,
  MAX_PORT,
  type Address,
} from './address.ts';
export { computeServerTimeout } from './schema/http-schema.ts';
