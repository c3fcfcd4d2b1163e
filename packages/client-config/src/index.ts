export { CLIENT_IDS, isClientId, type ClientId } from './clients/client-id.ts';
export { CLIENT_SHAPES } from './clients/client-shape.ts';
export { configFilesOf, type ClientFile, type ClientPlace } from './clients/config-files.ts';
export type { GatewayEndpoint } from './export/client-entry.ts';
export { entryIn, type ClientServer } from './export/entry-in.ts';
export { mergeConfig } from './export/merge-config.ts';
export { renderConfig, type NamedEndpoint, type RenderedConfig } from './export/render-config.ts';
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
export { redirectsTrust, RISKS, riskText, type Risk, type ServerRisk } from './servers/risk.ts';
export { addressRisks, serverRisks } from './servers/server-risks.ts';
export { isName } from './servers/text-values.ts';
export { resourceName } from './servers/resource-name.ts';
export { SecretFiles, type SecretFile } from './servers/secret-files.ts';
export { looksSecret } from './servers/secret-values.ts';
