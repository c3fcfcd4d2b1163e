export { createBodyReader, type RouteBody } from './http/route-bodies.ts';
export { discardBody } from './wire/answer.ts';
export { createForeignCheck, type ForeignCheck } from './http/host-guard.ts';
export { serveOtherOrigins } from './http/other-origins.ts';
export type { CallSlots } from './admission/call-slots.ts';
export { KeyedSlots } from './admission/keyed-slots.ts';
export { createRateLimiter, DEFAULT_RATE_LIMIT } from './admission/rate-limiter.ts';
export { isProxyRange } from './wire/caller-address.ts';
export type { Authenticated } from './protocol/authenticated.ts';
export { createMcpHttp } from './http/mcp-http.ts';
export type { McpHttp } from './http/served-mcp.ts';
export type {
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCapabilities,
} from './protocol/mcp-service.ts';
export type { Peers } from './peers/peers.ts';
export type { FollowedResource, SessionRecords } from './sessions/session-records.ts';
export type { RouteHandler } from './http/http-listener.ts';
export { DEFAULT_HTTP_SERVER_LIMITS } from './http/http-server-limits.ts';
export { createRouteLimit } from './http/limit-routes.ts';
export { serveHttp, type HttpServing } from './http/serve-http.ts';
export { serveRoutes, type RouteServing } from './http/serve-routes.ts';
export { serveStdio } from './stdio/serve-stdio.ts';
export { DEFAULT_MCP_HTTP_LIMITS } from './protocol/limits.ts';
