export { createChangeableJsonSchema, createConfigJsonSchema } from './schema/config-json-schema.ts';
export { ConfigurationCommands } from './configuration-commands.ts';
export {
  chooseCoreToolWrites,
  isLoopbackHost,
  applyCommandLine,
  resolveHealthAddress,
  HEALTH_PORT_OPTION,
  PORT_OPTION,
  findPortClash,
  type HealthAddress,
  type OptionAddress,
} from './command-line.ts';
export {
  CONFIGURATION_NAME,
  createLiveConfiguration,
  type LiveConfiguration,
} from './live-configuration.ts';
export { openConfiguration } from './open-configuration.ts';
export { parseConfig, type GatewayConfig } from './parse-config.ts';
export { listPresetWarnings, readConfiguration } from './read-configuration.ts';
export { GATEWAY_VERSION } from './version.ts';
export { computeServerTimeout } from './schema/http-schema.ts';
export {
  CORE_TOOL_WRITES,
  EXPOSE,
  EXPOSE_HEADER,
  type CoreToolWrites,
  type Expose,
  DEFAULT_ADDRESS,
  DEFAULT_ENDPOINT,
  DEFAULT_HEALTH_PORT,
  MAX_PORT,
  type Address,
} from './defaults.ts';
