import { isJsonObject, type ClientAnswer, type JsonObject } from '@gateway/call-contract';
import type { OutgoingRequests, RequestWatcher, RunningRequest } from './outgoing-requests.ts';
import { isOwnId } from './outgoing-requests.ts';
import { answerId } from '../wire/lenient-message.ts';
import { sanitisedLine } from '../wire/reason.ts';
import type { ServerMessage } from './server-request.ts';

/** The lists that can change. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

const CHANGED_LISTS: ReadonlyMap<string, ChangedList> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);

/** The origin of a server message. */
export interface IncomingContext {
  /** The message arrived on the stream of one of the gateway's requests, even if that request has ended. */
  readonly ownStream: boolean;
  /** That request while it is pending; the message belongs to it. */
  readonly owner: RunningRequest | undefined;
  /** All pending requests of the connection. */
  readonly running: () => Iterable<RunningRequest>;
}

/** The origin of a server request. */
export interface IncomingRequestContext extends IncomingContext {
  /** The server's id of the request. */
  readonly requestId: string | number;
}

/** Handles the server messages for callers. */
export interface IncomingHandler extends RequestWatcher {
  /** Answers a request; resolves with `undefined` when the server cancelled it. Must not reject. */
  onRequest(
    message: ServerMessage,
    context: IncomingRequestContext,
  ): Promise<ClientAnswer | undefined>;
  /** Handles a notification; returns `false` to leave it to the SDK's client. */
  onNotification(message: ServerMessage, context: IncomingContext): boolean;
}

/** The receivers of server messages. */
export interface IncomingRoutes {
  readonly outgoing: OutgoingRequests;
  readonly handler: IncomingHandler;
  readonly onListChanged: (list: ChangedList) => void;
  readonly answer: (id: string | number, answer: ClientAnswer) => void;
  /** Returns whether a request of the SDK's client or of the handshake had this id. */
  readonly isSdkId: (id: unknown) => boolean;
  /** Ends the connection, because the server answered a request that was not sent. */
  readonly endFor: (reason: string) => void;
}

const isProgress = (
  value: JsonObject,
): value is JsonObject & { readonly progress: number; readonly total?: number } =>
  typeof value['progress'] === 'number';

const takeProgress = ({ params }: JsonObject, outgoing: OutgoingRequests): boolean => {
  if (!isJsonObject(params)) return false;
  const { progressToken, ...progress } = params;
  const id = answerId(progressToken);
  if (!isOwnId(id)) return false;
  const running = outgoing.running.get(id);
  if (running !== undefined) running.isBegun = true;
  if (isProgress(progress)) running?.request.options?.onProgress?.(progress);
  return true;
};

const takeOther = (
  message: JsonObject,
  method: string,
  ownerId: number | undefined,
  routes: IncomingRoutes,
): boolean => {
  const { outgoing, handler } = routes;
  const owner = ownerId === undefined ? undefined : outgoing.running.get(ownerId);
  if (owner !== undefined) owner.isBegun = true;
  const { id, params } = message;
  const requestId = typeof id === 'string' || typeof id === 'number' ? id : undefined;
  const said: ServerMessage = { method, params: isJsonObject(params) ? params : {} };
  const context: IncomingContext = {
    ownStream: ownerId !== undefined,
    owner,
    running: () => outgoing.running.values(),
  };
  if (requestId === undefined) return handler.onNotification(said, context);
  void handler.onRequest(said, { ...context, requestId }).then((answer) => {
    if (answer !== undefined) routes.answer(requestId, answer);
  });
  return true;
};

const MAX_ID_CHARS = 40;

/** Takes an answer. One with an id that no request had ends the request on whose stream it arrived, or else the connection. */
const takeAnswer = (
  message: JsonObject,
  ownerId: number | undefined,
  routes: IncomingRoutes,
): boolean => {
  const { outgoing } = routes;
  const id = answerId(message['id']);
  const isMisplaced = ownerId !== undefined && id !== ownerId;
  if (routes.isSdkId(id)) return isMisplaced;
  const isKnown = isMisplaced ? outgoing.isOwn(id) : isOwnId(id) && outgoing.answer(id, message);
  // A server that could not parse a request answers without an id.
  if (isKnown || id === null || id === undefined) return true;
  const shown = sanitisedLine(JSON.stringify(id)).slice(0, MAX_ID_CHARS);
  const reason = `the server answered a request that was not sent (id ${shown})`;
  if (ownerId === undefined) routes.endFor(reason);
  else outgoing.distrust(ownerId, reason);
  return true;
};

/**
 * Dispatches one server message to its receiver. Returns `false` to leave it to the SDK's client.
 *
 * @param ownerId id of the gateway's request on whose stream it arrived, if the transport knows it
 */
export const takeIncoming = (
  message: JsonObject,
  ownerId: number | undefined,
  routes: IncomingRoutes,
): boolean => {
  const { method } = message;
  if (typeof method !== 'string') return takeAnswer(message, ownerId, routes);
  if (method === 'notifications/progress' && takeProgress(message, routes.outgoing)) return true;
  const changed = CHANGED_LISTS.get(method);
  if (changed !== undefined) routes.onListChanged(changed);
  return takeOther(message, method, ownerId, routes);
};
