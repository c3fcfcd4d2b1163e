export { createBodyReader, type FurtherBody } from './http/further-bodies.ts';
export { discardBody } from './wire/answer.ts';
export {
  createForeignCheck,
  type ForeignCheck,
  type ForeignHeader,
  type HostGuardOptions,
} from './http/host-guard.ts';
export { DEFAULT_HTTP_SERVER_LIMITS, type HttpServerLimits } from './http/http-server-limits.ts';
export { DEFAULT_MCP_HTTP_LIMITS, type McpHttpLimits } from './protocol/limits.ts';
export {
  createMcpHttp,
  type McpHttp,
  type McpHttpOptions,
  type McpHttpStats,
} from './http/mcp-http.ts';
export type {
  CallMethod,
  ListAnswer,
  ListMethod,
  McpService,
  RequestContext,
  ServiceAnswer,
  ServiceCall,
  ServiceCallContext,
  ServiceCapabilities,
} from './protocol/mcp-service.ts';
export type { Peers } from './peers/peers.ts';
export { createProtocolServer, type ProtocolServerOptions } from './stdio/protocol-server.ts';
export type { RefusalCode } from './protocol/refusal.ts';
export type { HeaderReader } from './protocol/request-headers.ts';
export {
  serveHttp,
  type HttpServing,
  type RequestEvent,
  type RouteHandler,
  type ServeHttpOptions,
} from './http/serve-http.ts';
export { serveStdio, type ServeStdioOptions, type StdioServing } from './stdio/serve-stdio.ts';
