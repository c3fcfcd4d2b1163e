export { CLIENT_IDS, isClientId, type ClientId } from './clients.ts';
export { CLIENT_SHAPES } from './clients.ts';
export { configFilesOf, type ClientFile, type ClientPlace } from './clients.ts';
export type { GatewayEndpoint } from './export/client-entry.ts';
export { entryIn, type ClientServer } from './export/client-entry.ts';
export { mergeConfig } from './export/merge-config.ts';
export { renderConfig, type NamedEndpoint, type RenderedConfig } from './export/client-entry.ts';
export { MAX_IMPORT_CHARS, parseImport, type ImportedServer } from './import/parse-import.ts';
export {
  importRefusalText,
  serverNoteText,
  serverProblemText,
  type ServerProblem,
} from './servers/import-problem.ts';
export { localServer } from './servers/local-server.ts';
export { maskedLines } from './servers/masked-lines.ts';
export { hasCredentials } from './servers/address-kind.ts';
export {
  redirectsTrust,
  RISKS,
  riskText,
  type Risk,
  type ServerRisk,
} from './servers/server-risks.ts';
export { addressRisks, serverRisks } from './servers/server-risks.ts';
export { isName } from './servers/read-server.ts';
export { resourceName } from './servers/resource-name.ts';
export { SecretFiles, type SecretFile } from './servers/local-server.ts';
export { looksSecret } from './servers/secret-values.ts';
