export {
  createRateLimiter,
  createRouteLimit,
  DEFAULT_RATE_LIMIT,
  CallSlots,
  KeyedSlots,
  type RouteLimitOptions,
  type SlotLimits,
} from './calls/admission.ts';
export { findLimitDefault, LIMIT_KEYS, toLimits } from './protocol/limits.ts';
export type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCall,
  ServiceCallContext,
  ServiceCapabilities,
} from './protocol/mcp-service.ts';
export type { ResourceSubscription, SessionRecords } from './sessions/shared-sessions.ts';
export {
  DEFAULT_HTTP_SERVER_LIMITS,
  serveHttp,
  serveRoutes,
  type HttpServing,
  type RouteServing,
} from './transports/http-server.ts';
export { createMcpHttp, type McpHttp, type RequestAuthenticator } from './transports/mcp-http.ts';
export { serveStdio } from './transports/serve-stdio.ts';
export { discardBody, type RouteHandler, type RouteHandlers } from './wire/incoming-exchange.ts';
export type { Peers } from './wire/peers.ts';
export { createBodyReader, type RouteBody } from './wire/request-body.ts';
export {
  createForeignCheck,
  isProxyRange,
  serveOtherOrigins,
  type ForeignCheck,
} from './wire/request-origin.ts';
