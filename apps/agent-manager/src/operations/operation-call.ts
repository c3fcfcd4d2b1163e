import type { Answer, OperationDraft, OperationName } from '@gateway/agent-manager-client';

/** Over which face somebody calls. */
export type Face = 'rest' | 'mcp';

/** One call of an operation, its arguments still to be looked at. */
export interface OperationCall {
  readonly name: OperationName;
  readonly face: Face;
  /** Names the call in the log. */
  readonly request: string;
  /** The arguments, names and types checked, or why they cannot be taken. */
  readonly draft: Answer<OperationDraft<OperationName>>;
}

/** What a call is answered with: the result as data. Never rejects. */
export type RunOperation = (call: OperationCall) => Promise<Answer<object>>;
