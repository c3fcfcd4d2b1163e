export {
  basicAuthentication,
  basicAuthorization,
  type ClientCredentials,
} from './basic-authorization.ts';
export { DRAIN_TIMEOUT_MS } from './drain-timeout.ts';
export { EXIT_CODES, type CommandResult } from './exit-code.ts';
export { exitWhenReaderCloses } from './exit-on-closed-pipe.ts';
export { storeCompiledCode } from './compile-cache.ts';
export { listenError } from './listen-error.ts';
export { createLogger, logInternalErrors } from './log/create-logger.ts';
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from './log/log-options.ts';
export { returnMemoryAtRest } from './memory-at-rest.ts';
export { nodeVersionProblem, OLDEST_NODE } from './node-version.ts';
export {
  conformOAuthAnswer,
  conformOAuthDocument,
  OAuthAnswerError,
  readOAuthDocument,
} from './oauth-answers.ts';
export { isOwnForm, isSameSecret, readCookie, readForm } from './pages/form-requests.ts';
export { formPageHeaders, pageContent, pageRoute, sendFormPage } from './pages/page-route.ts';
export { createPageRenderer, type Page } from './pages/render-page.ts';
export { servicePage } from './pages/service-page.ts';
export { isPrivateFile } from './private-file.ts';
export { createProcessRoutes, EVENT_LOOP_INTERVAL_MS } from './process-routes.ts';
export { keepRequestGarbageYoung } from './request-garbage.ts';
export { readSessionKey } from './session-key.ts';
export { startFailureText } from './start-failure.ts';
export { waitForStopSignal } from './stop-signal.ts';
export { stopWithNpx } from './stop-with-npx.ts';
export { escapeToJson, escapeToLine, escapeToLines } from './terminal-text.ts';
