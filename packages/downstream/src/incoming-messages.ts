import type { ClientAnswer } from './call.ts';
import type { OutgoingRequests, RunningRequest } from './outgoing-requests.ts';
import { isOwnId } from './outgoing-requests.ts';
import type { OpenRecord } from './wire.ts';

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
  /** The gateway's request on whose stream the message came, so that it certainly belongs to it. */
  readonly owner: RunningRequest | undefined;
  /** Every request of the connection that runs now. */
  readonly running: () => Iterable<RunningRequest>;
  /** The server's own id of its request. */
  readonly requestId: string | number | undefined;
}

/** Takes the messages of a server that are for the gateway's callers. */
export interface IncomingHandler {
  /** Answers a request, or leaves it to the SDK's client with `undefined`. Must not reject. */
  onRequest(message: ServerMessage, context: IncomingContext): Promise<ClientAnswer> | undefined;
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
    owner: ownerId === undefined ? undefined : outgoing.get(ownerId),
    running: () => outgoing.all(),
    requestId,
  };
  if (requestId === undefined) return handler.onNotification(said, context);
  const answered = handler.onRequest(said, context);
  void answered?.then((answer) => routes.answer(requestId, answer));
  return answered !== undefined;
};

/**
 * Takes one message of a server to whom it is for. `false` leaves it to the SDK's client.
 *
 * @param ownerId id of the gateway's request on whose stream it came, where the transport knows
 */
export const takeIncoming = (
  message: OpenRecord,
  ownerId: number | undefined,
  routes: IncomingRoutes,
): boolean => {
  const { id, method } = message;
  if (typeof method !== 'string') {
    if (!isOwnId(id)) return false;
    routes.outgoing.answer(id, message);
    return true;
  }
  if (method === 'notifications/progress' && takeProgress(message, routes.outgoing)) return true;
  const changed = CHANGED_LISTS.get(method);
  if (changed !== undefined) routes.onListChanged(changed);
  return takeOther(message, method, ownerId, routes);
};
