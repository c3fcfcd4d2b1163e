export {
  createBasicAuthentication,
  formatBasicAuthorization,
  type ClientCredentials,
  conformOAuthAnswer,
  conformOAuthDocument,
  OAuthAnswerError,
  readOAuthDocument,
} from './oauth-answers.ts';
export { DRAIN_TIMEOUT_MS, waitForStopSignal, stopWithNpx } from './stop-signal.ts';
export { EXIT_CODES, type CommandResult, exitWhenReaderCloses } from './exit-code.ts';
export { storeCompiledCode } from './compile-cache.ts';
export { findListenError, formatStartFailure } from './start-failure.ts';
export { createLogger, logInternalErrors } from './log/create-logger.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log/log-options.ts';
export { returnIdleMemory } from './heap-memory.ts';
export { validateNodeVersion, OLDEST_NODE } from './node-version.ts';
export { isOwnForm, isSameSecret, readCookie, readForm } from './pages/form-requests.ts';
export {
  createFormPageHeaders,
  resolvePageContent,
  createPageRoute,
  sendFormPage,
  renderServicePage,
} from './pages/page-route.ts';
export { createPageRenderer, type HtmlPage } from './pages/render-page.ts';
export { isPrivateFile } from './private-file.ts';
export { createProcessRoutes, EVENT_LOOP_INTERVAL_MS } from './process-routes.ts';
export { readSessionKey } from './session-key.ts';
export { escapeToJson, escapeToLine, escapeToLines } from './terminal-text.ts';
