export { CookieBrowser, type BrowserOptions, type Page } from './browser/cookie-browser.ts';
export type { FormButton, HtmlForm } from './browser/html-form.ts';
export { signIn, testUser, type SignInOptions, type TestUser } from './browser/sign-in.ts';
export type { Fault, FaultRule } from './http/fault.ts';
export type {
  ProviderOptions,
  ProviderSettings,
  ProviderUser,
} from './provider/provider-options.ts';
export {
  startProvider,
  type ProviderRequest,
  type TestProvider,
} from './provider/start-provider.ts';
export type {
  ProtectedOptions,
  ProtectedRequest,
  ProtectedServer,
} from './protected-server/protected-options.ts';
export { startProtectedServer } from './protected-server/start-protected-server.ts';
export { tokenHash, type TokenFacts } from './protected-server/token-check.ts';
export { launchBrowser } from './peers/launch-browser.ts';
export {
  DEX_USERS,
  startDex,
  type DexClient,
  type DexOptions,
  type DexUser,
  type TestDex,
} from './peers/start-dex.ts';
export { startRedis, type TestRedis } from './peers/start-redis.ts';
