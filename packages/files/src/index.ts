export { readErrorCode, ignoreMissing, returnOn, formatWriteFailure } from './file-errors.ts';
export {
  MAX_FILE_BYTES,
  toFingerprint,
  isLink,
  readSettledText,
  type FileTimes,
  type ReadTextResult,
  readTextFile,
  readTextFileSync,
} from './read-text-file.ts';
export { KeyedFileLocks, type HeldLock, KeyedQueue } from './file-lock.ts';
export { openKeyFile } from './key-file.ts';
export { LineSegments, type SegmentLimits, RotatingLines } from './line-files.ts';
export { RecordDirectory } from './record-directory.ts';
export { openStateDirectory, type StateDirectory } from './state-directory.ts';
export {
  DirectoryHints,
  mountPoints,
  DirectoryWatch,
  drainPendingReports,
} from './directory-watch.ts';
export {
  createFileAtomically,
  replaceFileAtomically,
  replaceFileIfUnchanged,
  syncDirectory,
  makeDirectory,
  removeStaleTemporaryFiles,
} from './atomic-write.ts';
export { computeMergePatch, type Mapping, mergePatch } from './merge-patch.ts';
export { printYaml, rewriteYaml } from './yaml/rewrite-yaml.ts';
export {
  refuseYaml,
  type DocumentPath,
  type Position,
  parseYaml,
  parseYamlDocuments,
  type ParsedYaml,
  type YamlAnswer,
} from './yaml/parse-yaml.ts';
