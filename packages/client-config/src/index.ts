export {
  CLIENT_IDS,
  CLIENT_SHAPES,
  configFilesOf,
  isClientId,
  type ClientFile,
  type ClientId,
  type ClientPlace,
} from './clients.ts';
export {
  entryIn,
  renderConfig,
  type ClientServer,
  type GatewayEndpoint,
  type NamedEndpoint,
  type RenderedConfig,
  mergeConfig,
} from './export-config.ts';
export {
  MAX_IMPORT_CHARS,
  parseImport,
  resourceName,
  type ImportedServer,
} from './parse-import.ts';
export { hasCredentials } from './servers/address-kind.ts';
export {
  importRefusalText,
  serverNoteText,
  serverProblemText,
  type ServerProblem,
} from './servers/import-problem.ts';
export { localServer, SecretFiles, type SecretFile } from './servers/local-server.ts';
export { maskedLines, looksSecret } from './servers/secret-values.ts';
export { isName, isSseUrl } from './servers/read-server.ts';
export {
  addressRisks,
  redirectsTrust,
  RISKS,
  riskText,
  serverRisks,
  type Risk,
  type ServerRisk,
} from './servers/server-risks.ts';
