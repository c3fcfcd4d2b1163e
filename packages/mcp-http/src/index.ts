export { createBodyReader, type RouteBody } from './wire/request-body.ts';
export { discardBody } from './wire/http-exchange.ts';
export { createForeignCheck, serveOtherOrigins, type ForeignCheck } from './http/host-guard.ts';
export { KeyedSlots, type CallSlots } from './admission/call-slots.ts';
export { createRateLimiter, DEFAULT_RATE_LIMIT } from './admission/rate-limiter.ts';
export { isProxyRange } from './wire/caller-address.ts';
export { createMcpHttp, type McpHttp } from './http/mcp-http.ts';
export type {
  McpService,
  MissingScopes,
  RequestContext,
  ServiceAnswer,
  ServiceCall,
  ServiceCallContext,
  ServiceCapabilities,
} from './protocol/mcp-service.ts';
export type { Peers } from './peers/peer-bus.ts';
export type { FollowedResource, SessionRecords } from './sessions/shared-sessions.ts';
export { DEFAULT_HTTP_SERVER_LIMITS, type RouteHandler } from './http/http-listener.ts';
export { createRouteLimit } from './http/limit-routes.ts';
export { serveHttp, serveRoutes, type HttpServing, type RouteServing } from './http/serve-http.ts';
export { serveStdio } from './stdio/serve-stdio.ts';
export { DEFAULT_MCP_HTTP_LIMITS } from './protocol/limits.ts';
