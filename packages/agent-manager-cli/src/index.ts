export { runCli } from './commands/run-cli.ts';
export { ENVIRONMENT } from './options/environment.ts';
export {
  oauthOf,
  storeOf,
  type ReleaseStoreKind,
  type ServeArguments,
  type ServeOptions,
} from './options/serve-arguments.ts';
export { addServeOptions } from './options/serve-options.ts';
