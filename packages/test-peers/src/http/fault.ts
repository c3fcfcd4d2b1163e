import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response in place of the real one. `hang` sends nothing, `reset` ends the connection. */
export type Fault =
  | 'hang'
  | 'reset'
  | {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Chooses the requests that fail. The path has no query. */
export type FaultRule = (request: {
  readonly method: string;
  readonly path: string;
}) => Fault | undefined;

/** Sends a fault. */
export const sendFault = (
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (fault === 'hang') return;
  if (fault === 'reset') {
    request.socket.destroy();
    return;
  }
  response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
  response.end(fault.body ?? '');
};
