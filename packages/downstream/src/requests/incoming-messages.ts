import type { ClientAnswer } from '@gateway/call-contract';
import type { OutgoingRequests, RequestWatcher, RunningRequest } from './outgoing-requests.ts';
import { isOwnId } from './outgoing-requests.ts';
import type { OpenRecord } from '../wire/wire.ts';

/** Which of a server's lists changed. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

const CHANGED_LISTS: ReadonlyMap<string, ChangedList> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);

/** A request or a notification of a server. */
export interface ServerMessage {
  readonly method: string;
  readonly params: OpenRecord;
}

/** Whose a message of the server may be. */
export interface IncomingContext {
  /** The message came on the stream of one request of the gateway's, even if nobody waits for that any more. */
  readonly ownStream: boolean;
  /** That request, so that the message certainly belongs to it, while it runs. */
  readonly owner: RunningRequest | undefined;
  /** Every request of the connection that runs now. */
  readonly running: () => Iterable<RunningRequest>;
}

/** What is known of a request of the server. */
export interface IncomingRequestContext extends IncomingContext {
  /** The server's own id of it. */
  readonly requestId: string | number;
}

/** Takes the messages of a server that are for the gateway's callers. */
export interface IncomingHandler extends RequestWatcher {
  /** Answers a request; with `undefined` the server wants no answer any more. Must not reject. */
  onRequest(
    message: ServerMessage,
    context: IncomingRequestContext,
  ): Promise<ClientAnswer | undefined>;
  /** Takes a notification, or leaves it to the SDK's client with `false`. */
  onNotification(message: ServerMessage, context: IncomingContext): boolean;
}

/** Where the messages of a server go. */
export interface IncomingRoutes {
  readonly outgoing: OutgoingRequests;
  readonly handler: IncomingHandler | undefined;
  readonly onListChanged: (list: ChangedList) => void;
  readonly answer: (id: string | number, answer: ClientAnswer) => void;
}

const isRecord = (value: unknown): value is OpenRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isProgress = (
  value: OpenRecord,
): value is OpenRecord & { readonly progress: number; readonly total?: number } =>
  typeof value['progress'] === 'number';

const takeProgress = ({ params }: OpenRecord, outgoing: OutgoingRequests): boolean => {
  if (!isRecord(params)) return false;
  const { progressToken, ...progress } = params;
  if (!isOwnId(progressToken)) return false;
  if (isProgress(progress)) outgoing.get(progressToken)?.request.options?.onProgress?.(progress);
  return true;
};

const takeOther = (
  message: OpenRecord,
  method: string,
  ownerId: number | undefined,
  routes: IncomingRoutes,
): boolean => {
  const { outgoing, handler } = routes;
  if (handler === undefined) return false;
  const { id, params } = message;
  const requestId = typeof id === 'string' || typeof id === 'number' ? id : undefined;
  const said: ServerMessage = { method, params: isRecord(params) ? params : {} };
  const context: IncomingContext = {
    ownStream: ownerId !== undefined,
    owner: ownerId === undefined ? undefined : outgoing.get(ownerId),
    running: () => outgoing.all(),
  };
  if (requestId === undefined) return handler.onNotification(said, context);
  void handler.onRequest(said, { ...context, requestId }).then((answer) => {
    if (answer !== undefined) routes.answer(requestId, answer);
  });
  return true;
};

/**
 * Takes one message of a server to whom it is for. `false` leaves it to the SDK's client.
 *
 * @param ownerId id of the gateway's request on whose stream it came, where the transport knows
 * @param resultText JSON text of its `result`, where that is at hand
 */
export const takeIncoming = (
  message: OpenRecord,
  ownerId: number | undefined,
  routes: IncomingRoutes,
  resultText?: string,
): boolean => {
  const { id, method } = message;
  if (typeof method !== 'string') {
    if (!isOwnId(id)) return false;
    routes.outgoing.answer(id, message, resultText);
    return true;
  }
  if (method === 'notifications/progress' && takeProgress(message, routes.outgoing)) return true;
  const changed = CHANGED_LISTS.get(method);
  if (changed !== undefined) routes.onListChanged(changed);
  return takeOther(message, method, ownerId, routes);
};
