import { isJsonObject, type JsonObject } from '@gateway/call-contract';
import { discard, readBody, readStream } from './answer-body.ts';
import { isRpcId, type RpcId } from './client-message.ts';
import type { Answer } from './endpoint.ts';

/** Returns the message in a text of the gateway; `undefined` for any other text. */
export const gatewayMessage = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the id of the request that a message answers; `undefined` for a request or a notification, and for an error without an id. */
export const answeredId = (message: JsonObject): RpcId | undefined => {
  const { id, method } = message;
  return method === undefined && isRpcId(id) ? id : undefined;
};

/** Reads the only response of an answer; `undefined` when there is none. */
export const readResponse = async (answer: Answer): Promise<JsonObject | undefined> => {
  if (answer.isJson) {
    const body = await readBody(answer);
    return body.ok ? gatewayMessage(body.text) : undefined;
  }
  if (!answer.isStream) {
    discard(answer);
    return undefined;
  }
  let response: JsonObject | undefined;
  await readStream(answer, {
    onMessage: (text) => {
      const message = gatewayMessage(text);
      if (message !== undefined && answeredId(message) !== undefined) response = message;
    },
  });
  return response;
};
