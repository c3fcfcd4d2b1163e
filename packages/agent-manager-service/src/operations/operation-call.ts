import type {
  Answer,
  OperationDraft,
  OperationName,
  RefusalCode,
} from '@gateway/agent-manager-client';

/** The transport of a call. */
export type Transport = 'rest' | 'mcp';

/** The person on whose behalf a call runs. */
export interface OperationCaller {
  /** The e-mail address, else the subject. */
  readonly name: string;
  /** The verified bearer of the request. Secret. */
  readonly token: string;
}

/** One call of an operation. */
export interface OperationCall {
  readonly name: OperationName;
  readonly transport: Transport;
  /** Request id, for the log. */
  readonly request: string;
  /** Absent where callers do not sign in. */
  readonly caller?: OperationCaller;
  /** The arguments with checked names and types, or the refusal of them. */
  readonly draft: Answer<OperationDraft<OperationName>>;
}

/** The outcome of a call: `ok`, or the code of its refusal. */
export type CallCode = 'ok' | RefusalCode;

/** Records the outcome and the duration of a call. */
export type RecordCall = (
  call: Pick<OperationCall, 'name' | 'transport'>,
  code: CallCode,
  seconds: number,
) => void;

/** Runs a call and resolves with its result as data, or its refusal. Never rejects. */
export type RunOperation = (call: OperationCall) => Promise<Answer<object>>;
