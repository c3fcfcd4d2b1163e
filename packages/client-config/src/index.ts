export {
  CLIENT_IDS,
  CLIENT_SHAPES,
  listConfigFiles,
  isClientId,
  type ClientFile,
  type ClientId,
  type ClientPlace,
} from './clients.ts';
export {
  findEntry,
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
  toResourceName,
  type ImportedServer,
} from './parse-import.ts';
export { hasCredentials } from './servers/address-kind.ts';
export {
  formatImportRefusal,
  formatServerNote,
  formatServerProblem,
  type ServerProblem,
} from './servers/import-problem.ts';
export { toLocalServer } from './servers/local-server.ts';
export { maskLines } from './secrets/mask-lines.ts';
export {
  isSecretLike,
  replaceArgumentSecrets,
  replaceUrlSecrets,
  SECRET_MASK,
} from './secrets/secret-values.ts';
export {
  createSecretPlace,
  formatClearSecret,
  formatSecretPath,
  listClearSecrets,
  SecretCollector,
  type SecretPlace,
  extractSecrets,
  type StoredSecret,
  withoutOwnReferences,
} from './secrets/extract-secrets.ts';
export { isName, isSseUrl } from './servers/read-server.ts';
export {
  listAddressRisks,
  canRedirectTrust,
  RISKS,
  formatRisk,
  listServerRisks,
  type Risk,
  type ServerRisk,
} from './servers/server-risks.ts';
