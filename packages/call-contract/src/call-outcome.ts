import type { JsonObject } from './json.ts';
import type { RpcError } from './rpc-error.ts';

/** The result of a call, unchanged, or the reason why there is none. */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly result: JsonObject;
      /** JSON text of all members of `result` except `_meta`, where it is known: it is written to the caller without serialising it again. */
      readonly json?: string;
    }
  | {
      readonly ok: false;
      /** The reason, as the end of a sentence: `server not found: files`. */
      readonly text: string;
      /** The JSON-RPC error of the server, when that is the reason. */
      readonly error?: RpcError;
    };
