export {
  createBasicAuthentication,
  formatBasicAuthorization,
  type ClientCredentials,
  conformOAuthAnswer,
  conformOAuthDocument,
  OAuthAnswerError,
  readOAuthDocument,
} from './oauth-answers.ts';
export { type CommandResult, EXIT_CODES, exitWhenReaderCloses } from './exit-code.ts';
export { DRAIN_TIMEOUT_MS, stopWithNpx, waitForStopSignal } from './stop-signal.ts';
export {
  findListenError,
  formatStartFailure,
  OLDEST_NODE,
  storeCompiledCode,
  validateNodeVersion,
} from './program-start.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log-options.ts';
export { createLogger, logInternalErrors } from './logger.ts';
export { returnIdleMemory } from './heap-memory.ts';
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
