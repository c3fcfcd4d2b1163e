import { API_VERSION } from '../resource/api-group.ts';
import type { McpServer } from './mcp-server.ts';

/** Returns the annotation of a server that was stopped on request: `<group>/stopped`, with the value `true`. */
export const stopAnnotation = (apiGroup: string): string => `${apiGroup}/stopped`;

const annotationOf = ({ apiVersion }: McpServer): string =>
  stopAnnotation(apiVersion.slice(0, -`/${API_VERSION}`.length));

/** Returns whether a server was stopped on request, so that it does not start by itself. */
export const isStopRequested = (server: McpServer): boolean => {
  const { annotations = {} } = server.metadata;
  const name = annotationOf(server);
  return Object.hasOwn(annotations, name) && annotations[name] === 'true';
};

/** Returns a server with or without a request to stop; the same object when it is unchanged. */
export const withStopRequest = (server: McpServer, isRequested: boolean): McpServer => {
  if (isStopRequested(server) === isRequested) return server;
  const { metadata } = server;
  const annotations = Object.freeze({
    ...metadata.annotations,
    [annotationOf(server)]: String(isRequested),
  });
  return Object.freeze({ ...server, metadata: Object.freeze({ ...metadata, annotations }) });
};
