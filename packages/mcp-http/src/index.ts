export type { CallContext, CallResult, McpService, Progress, ServiceTool } from './mcp-service.ts';
