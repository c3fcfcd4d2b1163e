export {
  FORWARDED,
  jsonProblemText,
  JsonScan,
  type JsonLimits,
  type JsonProblem,
  type JsonSlice,
  type RequestedParts,
} from './json-scan.ts';
export { createLineSplitter, type LineSplitter, type SplitOutcome } from './line-splitter.ts';
export { scanPaced, UNPACED_BYTES } from './paced-scan.ts';
export { PARSED, parseJson, textIn, type ParsedJson, type ParseLimits } from './parse-json.ts';
export {
  changeMembers,
  countBytes,
  joinText,
  jsonText,
  keepText,
  keptText,
  memberOf,
  objectText,
  oneLine,
  RawObject,
  type LongText,
  type MemberChange,
  type MemberTexts,
} from './raw-object.ts';
