export { errorCodeOf } from './failures/error-code.ts';
export { ignoreMissing, returnOn } from './failures/ignore-error.ts';
export { writeFailureText } from './failures/write-failure.ts';
export { MAX_FILE_BYTES } from './limits.ts';
export { KeyedFileLocks, type HeldLock } from './locks/keyed-file-locks.ts';
export { KeyedQueue } from './locks/keyed-queue.ts';
export { fingerprintOf } from './reading/fingerprint.ts';
export { isLink } from './reading/is-link.ts';
export { readSettledText } from './reading/read-settled-text.ts';
export type { FileTimes, ReadTextResult } from './reading/read-text.ts';
export { readTextFile } from './reading/read-text-file.ts';
export { readTextFileSync } from './reading/read-text-file-sync.ts';
export { openKeyFile } from './state/key-file.ts';
export { LineSegments, type SegmentLimits } from './state/line-segments.ts';
export { openRecordDirectory } from './state/record-directory.ts';
export { RotatingLines } from './state/rotating-lines.ts';
export { openStateDirectory, type StateDirectory } from './state/state-directory.ts';
export { DirectoryHints } from './watching/directory-hints.ts';
export { mountPoints } from './watching/reported-changes.ts';
export { DirectoryWatch, pendingReportsDelivered } from './watching/directory-watch.ts';
export {
  createFileAtomically,
  replaceFileAtomically,
  replaceFileIfUnchanged,
  syncDirectory,
} from './writing/atomic-write.ts';
export { makeDirectory } from './writing/make-directory.ts';
export { removeStaleTemporaryFiles } from './writing/temporary-file.ts';
export { differencePatch } from './yaml-edits/difference-patch.ts';
export { isMapping, type Mapping } from './yaml-edits/mapping.ts';
export { mergePatch } from './yaml-edits/merge-patch.ts';
export { PRINTED, printYaml, WRITTEN_OUT } from './yaml-edits/print-yaml.ts';
export { rewriteYaml } from './yaml-edits/rewrite-yaml.ts';
export { composeYaml, refuseYaml } from './yaml/compose-yaml.ts';
export {
  parseYaml,
  parseYamlDocuments,
  type ParsedYaml,
  type YamlAnswer,
} from './yaml/parse-yaml.ts';
export type { DocumentPath, Position } from './yaml/yaml-position.ts';
