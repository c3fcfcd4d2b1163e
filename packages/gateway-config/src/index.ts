export { TOOLSET_HEADER } from '@gateway/preset-resolver';
export { changeableJsonSchema, configJsonSchema } from './schema/config-json-schema.ts';
export { configurationCommands } from './configuration-commands.ts';
export { coreToolWrites, isLoopbackHost, servedConfig } from './core-tool-writes.ts';
export { CORE_TOOL_WRITES, type CoreToolWrites } from './expose.ts';
export { EXPOSE, EXPOSE_HEADER, type Expose, exposureOf } from './expose.ts';
export {
  type HealthAddress,
  healthAddress,
  HEALTH_PORT_OPTION,
  PORT_OPTION,
  portClash,
  type NamedAddress,
} from './health-address.ts';
export {
  CONFIGURATION_NAME,
  type LiveConfiguration,
  createLiveConfiguration,
} from './live-configuration.ts';
export { openConfiguration } from './open-configuration.ts';
export { type GatewayConfig, parseConfig } from './parse-config.ts';
export { presetWarnings, readConfiguration } from './read-configuration.ts';
export { GATEWAY_VERSION } from './version.ts';
export {
  DEFAULT_ADDRESS,
  DEFAULT_ENDPOINT,
  DEFAULT_HEALTH_PORT,
  MAX_PORT,
  type Address,
} from './address.ts';
export { serverTimeoutSeconds } from './schema/http-schema.ts';
