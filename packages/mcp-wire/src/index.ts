export {
  ByteCollector,
  EVENT_STREAM_TYPE,
  EventStreamReader,
  formatEndpointEvent,
  formatEvent,
  formatEventId,
  formatRetry,
  isEventStream,
  KEEP_ALIVE_COMMENT,
  type EventStreamObserver,
  type StreamEvent,
} from './event-stream.ts';
export {
  decodeHeader,
  encodeHeader,
  LAST_EVENT_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  NAME_PARAMETERS,
  PARAM_HEADER_PREFIX,
  REVISION_HEADER,
  SESSION_HEADER,
} from './headers.ts';
export {
  formatErrorMessage,
  formatNotification,
  formatRequest,
  formatResult,
  isRpcId,
  readRpcId,
  tryFormatNotification,
  type RpcId,
} from './json-rpc.ts';
export {
  FORWARD_LIMITS,
  formatJsonProblem,
  JsonScan,
  type JsonLimits,
  type JsonProblem,
  type JsonSlice,
  type RequestedParts,
} from './json-scan.ts';
export { createLineSplitter, type LineSplitter, type SplitOutcome } from './line-splitter.ts';
export { scanInSlices, MAX_SYNC_SCAN_BYTES } from './paced-scan.ts';
export {
  createParamHeaders,
  findArgument,
  listMirroredParams,
  MIRRORED_TYPES,
  validateHeaderAnnotations,
  type MirroredParam,
} from './param-headers.ts';
export {
  PARSE_LIMITS,
  parseJson,
  decodeText,
  type ParsedJson,
  type ParseLimits,
} from './parse-json.ts';
export {
  changeMembers,
  countBytes,
  joinText,
  formatJson,
  storeSourceText,
  findSourceText,
  readMember,
  formatObject,
  toOneLine,
  RawObject,
  type LongText,
  type MemberChange,
  type MemberTexts,
} from './raw-object.ts';
